import type { DateLanguage } from "../../work/dates/day-words.ts";

const any = (...words: readonly string[]) =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join("|")})(?![\\p{L}\\p{N}])`, "iu");

/** Words that every letter in a language has. */
const common: Readonly<Record<DateLanguage, RegExp>> = {
  en: /(?<!\p{L})(?:the|and|you|your|is|are|we|this|that|for|with|please|can|could|have|will|by|our|it|to|of|me|at|on)(?!\p{L})/giu,
  de: /(?<!\p{L})(?:der|die|das|und|ich|du|sie|wir|ist|sind|bitte|nicht|mit|für|bis|den|dem|ein|eine|uns|kannst|können|am|um|zum|mir|auf)(?!\p{L})/giu,
  fr: /(?<!\p{L})(?:le|les|des|et|vous|nous|je|tu|me|est|pour|avec|merci|une|un|pas|dans|avant|votre|peux|pouvez|du|au|que|ce|il|sur)(?!\p{L})/giu,
  es: /(?<!\p{L})(?:el|los|las|y|usted|nos|es|para|con|gracias|una|un|que|por|favor|antes|puedes|puede|del|al|lo|se|me)(?!\p{L})/giu,
  it: /(?<!\p{L})(?:il|lo|gli|e|che|di|per|con|grazie|una|un|non|entro|puoi|può|del|al|della|ci|mi|le|la|sono|è|favore)(?!\p{L})/giu,
};

/** How people ask for something to be done. */
export const asking: Readonly<Record<DateLanguage, RegExp>> = {
  en: any(
    "please(?! (?:find|note|be advised|see|ignore|disregard|do not reply|don't reply)(?!\\p{L}))",
    "(?:could|can|would|will) you(?! believe)",
    "(?:i|we) need you to",
    "(?:i|we)(?:'d| would) like you to",
    "don't forget to",
    "remember to",
    "make sure (?:to|you)",
    "action required",
    "to-?do:",
  ),
  de: any(
    "bitte(?! beachten| nicht auf diese)",
    "(?:könntest|kannst|würdest|könnten|können|würden) (?:du|sie|ihr)",
    "vergiss nicht",
    "denk(?:e|en sie)? (?:bitte )?daran",
    "wir brauchen (?:von dir|von ihnen)",
    "zu erledigen:",
  ),
  fr: any(
    "merci (?:de|d'|d’)(?= ?\\p{L})",
    "veuillez(?! trouver)",
    "(?:pourrais|peux)[- ]tu",
    "(?:pourriez|pouvez)[- ]vous",
    "(?:tu pourrais|tu peux|vous pourriez|vous pouvez)",
    "n'oublie(?:z)? pas",
    "n’oublie(?:z)? pas",
    "s'il (?:te|vous) pla[iî]t",
    "il faudrait",
    "à faire :",
  ),
  es: any(
    "por favor",
    "(?:podrías|puedes|podría|puede|podéis|pueden)",
    "te pido que",
    "le ruego",
    "no olvides",
    "no olvide",
    "necesito que",
    "necesitamos que",
    "pendiente:",
  ),
  it: any(
    "per favore",
    "per cortesia",
    "ti prego di",
    "la prego di",
    "(?:potresti|puoi|potrebbe|potete)",
    "non dimenticar(?:e|ti)",
    "ricordati di",
    "ho bisogno che",
    "da fare:",
  ),
};

/** What stands before the day by which something is to be done. */
export const before: Readonly<Record<DateLanguage, RegExp>> = {
  en: any(
    "no later than",
    "not later than",
    "due (?:on|by)",
    "is due",
    "due date(?: is)?:?",
    "due:",
    "deadline(?: is| of)?:?",
    "by",
    "before",
    "until",
    "till",
  ),
  de: any(
    "spätestens(?: bis)?(?: zum| am)?",
    "bis spätestens(?: zum| am)?",
    "bis(?: zum)?",
    "fällig(?: am| bis)?:?",
    "frist(?: ist)?(?: der)?:?",
    "abgabe(?: am| bis)?:?",
    "vor dem",
  ),
  fr: any(
    "au plus tard(?: le)?",
    "avant(?: le)?",
    "d'ici(?: le| à| au)?",
    "d’ici(?: le| à| au)?",
    "jusqu'au",
    "jusqu’au",
    "jusqu'à",
    "échéance(?: le)? ?:?",
    "date limite(?: le)? ?:?",
  ),
  es: any(
    "a más tardar(?: el)?",
    "antes del?",
    "hasta el",
    "para el",
    "vence(?: el)?",
    "fecha límite(?: el)?:?",
    "plazo:?",
  ),
  it: any(
    "non oltre(?: il)?",
    "entro(?: e non oltre)?(?: il| le| la)?",
    "prima del?",
    "scade(?: il)?",
    "scadenza(?: il)?:?",
  ),
};

/** What people call it to come together. */
export const meeting: Readonly<Record<DateLanguage, RegExp>> = {
  en: any(
    "meet(?:ing)?",
    "call",
    "lunch",
    "dinner",
    "coffee",
    "appointment",
    "interview",
    "workshop",
    "catch up",
    "see you",
  ),
  de: any(
    "treffen(?: wir uns)?",
    "termin",
    "besprechung",
    "mittagessen",
    "abendessen",
    "kaffee",
    "vorstellungsgespräch",
    "telefonat",
    "sehen wir uns",
  ),
  fr: any("réunion", "rendez-vous", "déjeuner", "dîner", "entretien", "on se voit", "se retrouve(?:r)?", "appel"),
  es: any("reunión", "cita", "comida", "cena", "entrevista", "quedamos", "vernos", "llamada"),
  it: any("riunione", "appuntamento", "pranzo", "cena", "colloquio", "ci vediamo", "incontro", "chiamata"),
};

/** Titles of what is sent to be kept. */
export const keepsake =
  /^(?:(?:fyi|note|notes|minutes|for your records|protokoll|notiz|notizen|zur info|zur kenntnis|compte[- ]rendu|pour info|pour information|note|acta|apuntes|para tu información|verbale|appunti|per conoscenza)\b\s*[:–-]|(?:minutes of|meeting notes|protokoll (?:der|vom)|compte[- ]rendu d|acta de|verbale del)\b)/iu;

/** A word that a day may begin with. A month alone is none: `may` and `mars` are words as well. */
export const dayStart: Readonly<Record<DateLanguage, RegExp>> = {
  en: /^(?:today|tonight|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day|next|this|the|in|\d{1,4}\S*|january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)$/iu,
  de: /^(?:heute|morgen|übermorgen|uebermorgen|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|nächste[nrms]?|kommende[nrms]?|diese[nrms]?|in|\d{1,4}\S*)$/iu,
  fr: /^(?:aujourd['’]hui|demain|après-demain|apres-demain|après|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|dans|\d{1,4}\S*|1er)$/iu,
  es: /^(?:hoy|mañana|manana|pasado|lunes|martes|miércoles|miercoles|jueves|viernes|sábado|sabado|domingo|próximo|proximo|próxima|proxima|en|dentro|\d{1,4}\S*)$/iu,
  it: /^(?:oggi|domani|dopodomani|dopo|lunedì|lunedi|martedì|martedi|mercoledì|mercoledi|giovedì|giovedi|venerdì|venerdi|sabato|domenica|prossim[oa]|tra|fra|\d{1,4}\S*)$/iu,
};

/** The languages a text may be in: the one that most of its words are of, or those that share the first place. */
export function languagesOf(text: string): DateLanguage[] {
  const looked = text.slice(0, 4_000);
  const counts = (Object.keys(common) as DateLanguage[]).map((language) => ({
    language,
    words:
      (looked.match(common[language])?.length ?? 0) +
      (asking[language].test(looked) ? 2 : 0) +
      (before[language].test(looked) ? 1 : 0),
  }));
  const most = Math.max(...counts.map(({ words }) => words));
  return counts.filter(({ words }) => words === most).map(({ language }) => language);
}
