import { useNavigate, useParams } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { AskRoom } from "./ask-room.tsx";

/** Questions about all that the device may read. */
export function AskPage() {
  const { t } = useTranslation();
  const { id } = useParams({ strict: false });
  const navigate = useNavigate();
  return (
    <section className="page">
      <h1>{t("nav.ask")}</h1>
      <AskRoom
        id={id}
        onOpen={(next) =>
          void (next === undefined ? navigate({ to: "/ask" }) : navigate({ to: "/ask/$id", params: { id: next } }))
        }
      />
    </section>
  );
}
