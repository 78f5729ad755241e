import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import "../form/form.css";
import { InlineScoutCreationStepper } from "./inline-scout-creation-stepper.tsx";

/** A new source, by itself at an address of its own. */
export function AddPage() {
  const { t } = useTranslation();
  return (
    <section className="page">
      <p>
        <Link to="/scouts">{t("scout.back")}</Link>
      </p>
      <h1>{t("scout.add")}</h1>
      <InlineScoutCreationStepper />
    </section>
  );
}
