import { useTranslation } from "react-i18next";
import type { Finding } from "../../../doctor/findings.ts";
import type { SentenceValues } from "../../../exact-sentences.ts";
import { useSaid } from "../app/said.tsx";
import { agoText, line } from "../app/shown-text.ts";

/** What a check found and what to do, and their language where that is not the page's. */
export interface SaidFinding {
  readonly detail: string;
  readonly advice: string | undefined;
  readonly lang: "en" | undefined;
}

/**
 * Says findings in the person's language, by their codes; in English, which the device says itself, where the page has no
 * words for one, or for the error it quotes.
 *
 * @param atMs when they were looked for, in milliseconds since 1970: how long something stands is counted from it
 */
export function useFindings(atMs: number): (finding: Finding) => SaidFinding {
  const { t, i18n } = useTranslation();
  const said = useSaid();
  const { language } = i18n;

  return ({ code, values, each = [], why, answers, detail, advice }) => {
    const quote = why === undefined ? undefined : said(why);
    const texts = { detail: `${code}.detail`, advice: `${code}.advice`, each: `${code}.each` };
    const needed = [texts.detail, ...(advice === undefined ? [] : [texts.advice])];
    const isKnown = needed.every((key) => i18n.getResource(language, "doctor", key) !== undefined);
    if (!isKnown || quote?.lang === "en") {
      const lang = language === "en" ? undefined : "en";
      return { detail: line(detail), advice: advice === undefined ? undefined : line(advice), lang };
    }
    const { since } = values;
    const say = (key: string, more: SentenceValues) => t(key, { ns: "doctor", ...values, ...more });
    const filled = {
      ...(quote !== undefined && { why: quote.text }),
      ...(typeof since === "number" && { stood: agoText(since, atMs, language) }),
      ...(answers !== undefined && { answers: say(`${answers}.detail`, {}) }),
      each: each.map((one) => say(texts.each, one)).join("; "),
    };
    const text = (key: string) => line(say(key, filled));
    return {
      detail: text(texts.detail),
      advice: advice === undefined ? undefined : text(texts.advice),
      lang: undefined,
    };
  };
}
