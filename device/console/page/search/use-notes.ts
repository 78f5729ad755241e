import { useTranslation } from "react-i18next";
import type { SearchNote } from "../../../knowledge/search/search-notes.ts";
import { type SaidText, useSaid } from "../app/said.tsx";
import { line } from "../app/shown-text.ts";

/**
 * Says what a search has to say beside what it found in the person's language, by its code; in English, which the device says
 * itself, where the page has no words for it, or for the error it quotes.
 */
export function useNotes(): (note: Pick<SearchNote, "code" | "values" | "why" | "text">) => SaidText {
  const { t, i18n } = useTranslation();
  const said = useSaid();
  return ({ code, values, why, text }) => {
    const { language } = i18n;
    const quote = why === undefined ? undefined : said(why);
    if (i18n.getResource(language, "notes", code) === undefined || quote?.lang === "en") {
      return { text: line(text), lang: language === "en" ? undefined : "en" };
    }
    return { text: line(t(code, { ns: "notes", ...values, why: quote?.text ?? "" })), lang: undefined };
  };
}
