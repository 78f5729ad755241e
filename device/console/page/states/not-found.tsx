import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { Empty } from "./states.tsx";

/** In the place of a page, at an address that is none of them. */
export function NotFound() {
  const { t } = useTranslation();
  return (
    <section>
      <h1>{t("notFound.title")}</h1>
      <Empty title={t("notFound.none")} hint={<Link to="/">{t("notFound.back")}</Link>} />
    </section>
  );
}
