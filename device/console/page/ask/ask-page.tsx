import { useMatch } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useGo } from "../routes/go.ts";
import { AskRoom } from "./ask-room.tsx";

/** Questions about all that the device may read. */
export function AskPage() {
  const { t } = useTranslation();
  const below = useMatch({ from: "/ask/$id", shouldThrow: false });
  const go = useGo(below?.pathname);
  return (
    <section className="page">
      <h1>{t("nav.ask")}</h1>
      <AskRoom
        id={below?.params.id}
        onOpen={(next) => void (next === undefined ? go({ to: "/ask" }) : go({ to: "/ask/$id", params: { id: next } }))}
      />
    </section>
  );
}
