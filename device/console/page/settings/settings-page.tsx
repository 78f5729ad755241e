import { useTranslation } from "react-i18next";
import "../form/form.css";
import "../scouts/scouts.css";
import { Appearance } from "./appearance.tsx";
import { DataFolder } from "./data-folder.tsx";
import { Devices } from "./devices.tsx";
import { Doctor } from "./doctor.tsx";
import { Model } from "./model.tsx";
import { Notifications } from "./notifications.tsx";

/** How the console is set, and how the device fares. */
export function SettingsPage() {
  const { t } = useTranslation();
  return (
    <section className="page">
      <h1>{t("nav.settings")}</h1>
      <div className="panels">
        <Appearance />
        <Notifications />
        <Model />
        <Devices />
        <DataFolder />
        <Doctor />
      </div>
    </section>
  );
}
