import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import en from "../texts/en.json";

export const languages = { en: "English", it: "Italiano", es: "Español", fr: "Français", de: "Deutsch" } as const;
export type Language = keyof typeof languages;

const others = {
  it: () =>
    Promise.all([import("../texts/it.json"), import("../texts/errors/it.json"), import("../texts/doctor/it.json")]),
  es: () =>
    Promise.all([import("../texts/es.json"), import("../texts/errors/es.json"), import("../texts/doctor/es.json")]),
  fr: () =>
    Promise.all([import("../texts/fr.json"), import("../texts/errors/fr.json"), import("../texts/doctor/fr.json")]),
  de: () =>
    Promise.all([import("../texts/de.json"), import("../texts/errors/de.json"), import("../texts/doctor/de.json")]),
};

export const isLanguage = (text: string): text is Language => Object.hasOwn(languages, text);

/** The first language of the browser that there is a catalogue for. */
const ofBrowser = (): Language => navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage) ?? "en";

/** Failures and what a doctor finds are said in English by the device: the page has words for them in the other languages. */
async function load(language: Language): Promise<void> {
  if (language !== "en") {
    const [texts, errors, doctor] = await others[language]();
    i18next.addResourceBundle(language, "translation", texts.default);
    i18next.addResourceBundle(language, "errors", errors.default);
    i18next.addResourceBundle(language, "doctor", doctor.default);
  }
  document.documentElement.lang = language;
}

export async function startTexts(): Promise<void> {
  const language = ofBrowser();
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

/** Speaks a language, or the browser's. */
export async function speak(language: Language | null): Promise<void> {
  const spoken = language ?? ofBrowser();
  if (spoken === i18next.language) return;
  await load(spoken);
  await i18next.changeLanguage(spoken);
}
