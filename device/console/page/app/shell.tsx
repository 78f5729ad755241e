import { Link, Outlet } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { Undo } from "../inbox/undo.tsx";
import { SignedOut } from "../states/states.tsx";
import { Choice } from "./choice.tsx";
import { chooseLanguage, isLanguage, languages } from "./texts.ts";
import { useDevice } from "./use-device.ts";

/** What stands around every page: where one can go, and how the device is. */
export function Shell() {
  const { t, i18n } = useTranslation();
  const { stream, online } = useDevice();
  return (
    <div className="shell">
      <header className="bar">
        <span className="brand">Scouts</span>
        <nav aria-label={t("nav.label")}>
          <Link to="/inbox">{t("nav.inbox")}</Link>
          <Link to="/dismissed">{t("nav.dismissed")}</Link>
        </nav>
        <Choice
          label={t("language")}
          value={i18n.language}
          options={Object.entries(languages)}
          onChange={(language) => isLanguage(language) && void chooseLanguage(language)}
        />
      </header>
      <div role="status" className="notices">
        {stream === "away" && <p className="notice">{t("device.away")}</p>}
        {stream === "listening" && online === false && <p className="notice">{t("device.offline")}</p>}
      </div>
      <main>{stream === "refused" ? <SignedOut /> : <Outlet />}</main>
      <Undo />
    </div>
  );
}
