import { useParams } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useGo } from "../routes/go.ts";
import { AskRoom } from "./ask-room.tsx";

/** Questions about all that the device may read. */
export function AskPage() {
  const { t } = useTranslation();
  const { id } = useParams({ strict: false });
  const go = useGo();
  return (
    <section className="page">
      <h1>{t("nav.ask")}</h1>
      <AskRoom
        id={id}
        onOpen={(next) => void (next === undefined ? go({ to: "/ask" }) : go({ to: "/ask/$id", params: { id: next } }))}
      />
    </section>
  );
}
