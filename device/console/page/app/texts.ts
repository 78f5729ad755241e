import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import en from "../texts/en.json";

export const languages = { en: "English", it: "Italiano", es: "Español", fr: "Français", de: "Deutsch" } as const;
export type Language = keyof typeof languages;

const languageKey = "scouts.language";
const others = {
  it: () => import("../texts/it.json"),
  es: () => import("../texts/es.json"),
  fr: () => import("../texts/fr.json"),
  de: () => import("../texts/de.json"),
};

export const isLanguage = (text: string): text is Language => Object.hasOwn(languages, text);

/** What the person chose, else the first language of the browser that there is a catalogue for. */
function preferred(): Language {
  const wanted = [localStorage.getItem(languageKey), ...navigator.languages].map((tag) => tag?.slice(0, 2) ?? "");
  return wanted.find(isLanguage) ?? "en";
}

async function load(language: Language): Promise<void> {
  if (language !== "en") i18next.addResourceBundle(language, "translation", (await others[language]()).default);
  document.documentElement.lang = language;
}

export async function startTexts(): Promise<void> {
  const language = preferred();
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: "en",
    resources: { en: { translation: en } },
    // React makes text nodes: there is nothing to escape.
    interpolation: { escapeValue: false },
  });
  await load(language);
  await i18next.changeLanguage(language);
}

export async function chooseLanguage(language: Language): Promise<void> {
  localStorage.setItem(languageKey, language);
  await load(language);
  await i18next.changeLanguage(language);
}
