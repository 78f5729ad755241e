import { useTranslation } from "react-i18next";
import { Choice } from "../app/choice.tsx";
import { isLanguage, languages } from "../app/texts.ts";
import { Problem } from "../form/problem.tsx";
import { usePreferences } from "./use-preferences.ts";

const themes = ["system", "light", "dark"] as const;
/** No language is chosen: the browser's counts. */
const browser = "browser";

/** The language and the colours of the page; both are kept by the device, for every tab. */
export function Appearance() {
  const { t } = useTranslation();
  const { preferences, change, error } = usePreferences();
  const { language, theme } = preferences;
  return (
    <section className="panel" aria-labelledby="appearance">
      <h2 id="appearance">{t("settings.appearance")}</h2>
      <Choice
        label={t("settings.language")}
        value={language ?? browser}
        options={[[browser, t("settings.ofBrowser")], ...Object.entries(languages)]}
        onChange={(value) => change.mutate({ language: isLanguage(value) ? value : null })}
      />
      <Choice
        label={t("settings.theme")}
        value={theme}
        options={themes.map((each) => [each, t(`theme.${each}`)] as const)}
        onChange={(value) => change.mutate({ theme: themes.find((each) => each === value) ?? "system" })}
      />
      <Problem error={error} />
    </section>
  );
}
