import { calendarDay } from "../entities.ts";
import type { DateLanguage } from "./day-words.ts";
import { spanWords } from "./span-words.ts";

/** A day by its number alone, right where a text begins, in each language: what tells it from any other number is its mark or article. */
const patterns: Readonly<Record<DateLanguage, RegExp>> = {
  en: /^(?:(?:on|by|before|no later than|until|till) )?(?:the )?(?<day>\d{1,2})(?:st|nd|rd|th)(?=$|,? at )/iu,
  de: /^(?:(?:(?:spätestens )?am|spätestens|bis(?: zum)?|zum|vor dem|der|den|dem) (?<day>\d{1,2})\.?|(?<alone>\d{1,2})\.)(?=$|,? um )/iu,
  fr: /^(?:avant |pour |d'ici |au plus tard )?(?:le|jusqu'au) (?<day>\d{1,2})(?:er)?(?=$|,? à )/iu,
  es: /^(?:para |hasta |antes d|a m[áa]s tardar )?(?:el|del) (?:d[íi]a )?(?<day>\d{1,2})(?=$|,? a las? )/iu,
  it: /^(?:entro |per |prima del )?(?:il |l'|(?<=del ))(?:giorno )?(?<day>\d{1,2})(?=$|,? al(?:le|l') ?)/iu,
};

/** How a language writes a day and its month; what stands behind it is left as it is. */
const written: Readonly<Record<DateLanguage, (day: number, month: string) => string>> = {
  en: (day, month) => `${day} ${month}`,
  de: (day, month) => `${day}. ${month}`,
  fr: (day, month) => `${day} ${month}`,
  es: (day, month) => `${day} de ${month}`,
  it: (day, month) => `${day} ${month}`,
};

/**
 * A text that begins with a day by its number alone (`on the 25th`), with the month it is of: the next that has such a day to come,
 * or that it is today. Undefined where it begins otherwise.
 *
 * @param today `2026-11-27`
 */
export function withMonth(
  text: string,
  languages: readonly DateLanguage[],
  today: string,
): { readonly text: string; readonly language: DateLanguage } | undefined {
  const plain = text.replaceAll("’", "'");
  for (const language of languages) {
    const match = patterns[language].exec(plain);
    if (match === null) continue;
    const day = Number(match.groups?.["day"] ?? match.groups?.["alone"]);
    const month = monthOf(day, today);
    const name = month === undefined ? undefined : spanWords[language].months[month % 12]?.split("|")[0];
    if (name === undefined) return undefined;
    return { text: `${written[language](day, name)}${plain.slice(match[0].length)}`, language };
  }
  return undefined;
}

/** January is 0. Of three months in a row one has any day there is. */
function monthOf(day: number, today: string): number | undefined {
  const [year, month] = [Number(today.slice(0, 4)), Number(today.slice(5, 7)) - 1];
  const first = day < Number(today.slice(8)) ? 1 : 0;
  const two = (number: number) => String(number).padStart(2, "0");
  return [first, first + 1, first + 2]
    .map((ahead) => month + ahead)
    .find((at) => calendarDay.safeParse(`${year + Math.floor(at / 12)}-${two((at % 12) + 1)}-${two(day)}`).success);
}
