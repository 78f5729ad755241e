import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Choice } from "../app/choice.tsx";
import { mayNotify } from "../app/notify.ts";
import { Problem } from "../form/problem.tsx";
import { usePreferences } from "./use-preferences.ts";

const kinds = ["off", "count", "subject"] as const;

/** Whether the browser tells of what arrives while one looks elsewhere; without a word of it unless asked. */
export function Notifications() {
  const { t } = useTranslation();
  const { preferences, change, error } = usePreferences();
  const [isRefused, setRefused] = useState(false);
  const choose = async (value: string) => {
    const notifications = kinds.find((each) => each === value) ?? "off";
    const isGiven = notifications === "off" || (await mayNotify());
    setRefused(!isGiven);
    if (isGiven) change.mutate({ notifications });
  };
  return (
    <section className="panel" aria-labelledby="notifications">
      <h2 id="notifications">{t("settings.notifications")}</h2>
      <Choice
        label={t("settings.notify")}
        value={preferences.notifications}
        options={kinds.map((each) => [each, t(`notifyKind.${each}`)] as const)}
        onChange={(value) => void choose(value)}
      />
      <p className="hint">{t("settings.notifyHint")}</p>
      {isRefused && (
        <p className="problem" role="alert">
          {t("settings.notifyRefused")}
        </p>
      )}
      <Problem error={error} />
    </section>
  );
}
