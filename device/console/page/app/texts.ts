import i18next, { type ResourceKey } from "i18next";
import { initReactI18next } from "react-i18next";
import en from "../texts/en.json";

export const languages = { en: "English", it: "Italiano", es: "Español", fr: "Français", de: "Deutsch" } as const;
export type Language = keyof typeof languages;

/** The catalogues that are loaded when they are needed: of each language, of what the device says in English, and of each room. */
const files = import.meta.glob<{ readonly default: ResourceKey }>([
  "../texts/*.json",
  "../texts/*/*.json",
  "!../texts/en.json",
]);

/** Pages whose words come with them. A room's catalogue is the part of all words that its name stands before. */
export type Room = "brief" | "projects" | "ask" | "work" | "usage" | "activity" | "calls" | "search" | "settings";

/** Whether the page has words in a language. @param text a tag such as `de` */
export const isLanguage = (text: string): text is Language => Object.hasOwn(languages, text);

/** The first language of the browser that there is a catalogue for. */
const ofBrowser = (): Language => navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage) ?? "en";

/** The rooms that were entered: they speak what the page speaks. */
const entered = new Set<Room>();
let wanted: Language = "en";

async function fileOf(path: string): Promise<ResourceKey> {
  const file = await files[`../texts/${path}.json`]?.();
  if (file === undefined) throw new Error(`there is no catalogue ${path}`);
  return file.default;
}

async function loadRoomIn(room: Room, language: Language): Promise<void> {
  const words = await fileOf(`${room}/${language}`);
  i18next.addResourceBundle(language, "translation", { [room]: words }, true);
}

/** Has the words of a room there, in what the page speaks and is about to speak. */
export async function loadRoom(room: Room): Promise<void> {
  entered.add(room);
  const spoken = new Set([wanted, i18next.language].filter(isLanguage));
  await Promise.all([...spoken].map((language) => loadRoomIn(room, language)));
}

/** Speaks a language. What fails and what a doctor finds is said in English by the device: the page has words for it in the others. */
async function change(language: Language): Promise<void> {
  const rooms = [...entered].map((room) => loadRoomIn(room, language));
  if (language !== "en") {
    const [texts, errors, doctor, notes] = await Promise.all(
      [language, `errors/${language}`, `doctor/${language}`, `notes/${language}`].map(fileOf),
    );
    i18next.addResourceBundle(language, "translation", texts, true);
    i18next.addResourceBundle(language, "errors", errors);
    i18next.addResourceBundle(language, "doctor", doctor);
    i18next.addResourceBundle(language, "notes", notes);
  }
  await Promise.all(rooms);
  // Another one may have been chosen while this one was loaded.
  if (language !== wanted) return;
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
}

/** Begins with the browser's language, or English; resolves when its words are there. What is chosen comes later. */
export async function startTexts(): Promise<void> {
  const language = ofBrowser();
  wanted = language;
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: "en",
    resources: { en: { translation: en } },
    // React makes text nodes: there is nothing to escape.
    interpolation: { escapeValue: false },
  });
  await change(language);
}

/** Speaks a language, or the browser's. */
export async function speak(language: Language | null): Promise<void> {
  const spoken = language ?? ofBrowser();
  wanted = spoken;
  if (spoken !== i18next.language) await change(spoken);
}
