import { Link, Outlet } from "@tanstack/react-router";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Undo } from "../decide/undo.tsx";
import { keepFocus } from "../states/lost-focus.ts";
import { SignedOut } from "../states/states.tsx";
import { ApiError } from "./api.ts";
import { Choice } from "./choice.tsx";
import { choose } from "./preferences.ts";
import { isLanguage, languages } from "./texts.ts";
import { useDevice } from "./use-device.ts";

/** The page speaks it already; the notice above says that the device does not answer. */
function ignoreAway(error: unknown): void {
  if (!(error instanceof ApiError)) throw error;
}

/** What stands around every page: where one can go, and how the device is. */
export function Shell() {
  const { t, i18n } = useTranslation();
  const { stream, online } = useDevice();
  useEffect(keepFocus, []);
  return (
    <div className="shell">
      <header className="bar">
        <span className="brand">Scouts</span>
        <nav aria-label={t("nav.label")}>
          <Link to="/" activeOptions={{ exact: true }}>
            {t("nav.brief")}
          </Link>
          <Link to="/inbox">{t("nav.inbox")}</Link>
          <Link to="/dismissed">{t("nav.dismissed")}</Link>
          <Link to="/search">{t("nav.search")}</Link>
          <Link to="/ask">{t("nav.ask")}</Link>
          <Link to="/projects">{t("nav.projects")}</Link>
          <Link to="/work">{t("nav.work")}</Link>
          <Link to="/scouts">{t("nav.scouts")}</Link>
          <Link to="/activity">{t("nav.activity")}</Link>
          <Link to="/usage">{t("nav.usage")}</Link>
          <Link to="/settings">{t("nav.settings")}</Link>
        </nav>
        <Choice
          label={t("language")}
          value={i18n.language}
          options={Object.entries(languages)}
          onChange={(language) => isLanguage(language) && void choose({ language }).catch(ignoreAway)}
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
