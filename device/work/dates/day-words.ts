/** A language that dates are read in. */
export const dateLanguages = ["en", "de", "fr", "es", "it"] as const;
export type DateLanguage = (typeof dateLanguages)[number];

/** Words that chrono-node 2.10 does not read, or reads as something else, by words that it reads. */
export interface DayWords {
  readonly pattern: RegExp;
  readonly language: DateLanguage;
  readonly instead: string;
  /** Added to what is read then. */
  readonly days: number;
  /** The day it is is not meant: of that weekday the next is. */
  readonly isAfterToday?: boolean;
}

export const weekdays: Readonly<Record<DateLanguage, string>> = {
  en: "(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)",
  de: "(?:(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|mo|di|mi|do|fr|sa|so)",
  fr: "(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)",
  es: "(?:lunes|martes|mi[ée]rcoles|jueves|viernes|s[áa]bado|domingo)",
  it: "(?:luned[ìi]|marted[ìi]|mercoled[ìi]|gioved[ìi]|venerd[ìi]|sabato|domenica)",
};

const start = "(?:^|(?<= ))";
const end = "(?= |,|$)";
const words = (language: DateLanguage, pattern: string, instead: string, days = 0): DayWords => ({
  pattern: new RegExp(`${start}(?:${pattern})${end}`, "iu"),
  language,
  instead,
  days,
});

/**
 * chrono-node takes "après-demain" and "pasado mañana" for tomorrow, "the day after tomorrow" by the zone of the process
 * and not the one it is given; it knows no "dopodomani" and no Italian "prossimo", and neither "que viene" nor "qui vient".
 */
export const dayWords: readonly DayWords[] = [
  words("en", "(?:the )?day after tomorrow", "tomorrow", 1),
  words("en", "(?:the )?day before yesterday", "yesterday", -1),
  words("de", "übermorgen|uebermorgen", "morgen", 1),
  words("de", "vorgestern", "gestern", -1),
  words("fr", "apr[eè]s[- ]demain", "demain", 1),
  words("fr", "avant[- ]hier", "hier", -1),
  words("es", "pasado mañana|pasado manana", "mañana", 1),
  words("es", "anteayer|antes de ayer|antier", "ayer", -1),
  words("it", "dopodomani|dopo domani", "domani", 1),
  words("it", "l'altro ieri|l’altro ieri|altro ieri", "ieri", -1),
  {
    ...words("it", `prossim[oa](?= ${weekdays.it})|(?<=${weekdays.it} )prossim[oa]`, ""),
    isAfterToday: true,
  },
  words("it", "prossim[oa]|tra|fra", ""),
  { ...words("es", `(?<=${weekdays.es} )que viene`, ""), isAfterToday: true },
  { ...words("fr", `(?<=${weekdays.fr} )qui vient`, ""), isAfterToday: true },
  { ...words("de", `kommende[nr]?(?= ${weekdays.de})`, ""), isAfterToday: true },
  { ...words("en", `(?:this )?coming(?= ${weekdays.en})`, ""), isAfterToday: true },
];

/** What people type who write a date down, by what the library reads of it. */
const typed: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/’/gu, "'"],
  [/^(?:no later than|before|pour|d'ici(?: à)?|au plus tard|para|hasta|a m[áa]s tardar|spätestens|per) (?=\S)/iu, ""],
  [new RegExp(`(?<!\\p{L})quest[oa] (?=${weekdays.it})`, "giu"), ""],
  [/(?<!\p{L})(luned|marted|mercoled|gioved|venerd)i(?!\p{L})/giu, "$1ì"],
  [/(?<!\p{L})alle ore (?=\d)/giu, "alle "],
  [/(?<!\d)1[°º] (?=(?:gen|feb|mar|apr|mag|giu|lug|ago|set|ott|nov|dic)\p{L}*)/giu, "1 "],
  [/^(tra|fra) un[oa]? (?=(?:giorno|settimana|mese|anno)(?!\p{L}))/iu, "$1 1 "],
  [/(?<!\p{L})dieser (?=\p{L}+(?:tag|woch)(?!\p{L}))/giu, "diesen "],
  [/(?<!\p{L})sonnabend(?!\p{L})/giu, "Samstag"],
  [/(?<!\p{L})(\p{L}+tag|mittwoch)(?=(?:morgen|vormittag|mittag|nachmittag|abend)(?!\p{L}))/giu, "$1 "],
];

/** A date as somebody types it, in words that are read: without what stands before a day and says nothing of which it is. */
export const asRead = (text: string): string =>
  typed.reduce((written, [pattern, instead]) => written.replace(pattern, instead), text);

/** Words around a date that say nothing of it. */
export const fillers = /^(?:on|by|the|am|bis|zum|den|der|le|la|el|il|entro|avant|antes del?)\s+(?=\S)/iu;

/** A weekday of the week it is written in: `by this Friday`. */
export const thisWeekday = new RegExp(
  `(?<!\\p{L})(?:this ${weekdays.en}|diese[mnr] ${weekdays.de}|ce ${weekdays.fr}|este ${weekdays.es})(?!\\p{L})`,
  "iu",
);

const pastEn = "(?:last|past|previous)";
const pastDe = "(?:letzte|vergangene|vorige)[nrms]?";

/**
 * A weekday that is over, which chrono-node takes for the next one: `last Friday`, `Freitag letzter Woche`. Where a comma stands
 * between it and its week something else may begin: `on Friday, last week was hard`.
 */
export const pastWeekday = new RegExp(
  `(?<!\\p{L})(?:${[
    `${pastEn} (?:week (?:on )?)?${weekdays.en}|${weekdays.en} (?:of |in )?(?:the )?${pastEn} week`,
    `${pastDe} (?:woche (?:am )?)?${weekdays.de}|${weekdays.de} (?:in )?(?:der )?${pastDe} woche`,
    `${weekdays.fr} (?:dernier|passé|de la semaine (?:dernière|passée))`,
    `(?:pasado|último) ${weekdays.es}|${weekdays.es} (?:pasado|de la semana pasada)`,
    `(?:scors[oa]|passat[oa]) ${weekdays.it}|${weekdays.it} (?:scors[oa]|passat[oa]|della (?:scorsa settimana|settimana scorsa))`,
  ].join("|")})(?!\\p{L})`,
  "giu",
);
