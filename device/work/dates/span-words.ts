import type { DateLanguage } from "./day-words.ts";

/** How a language says by when by the end of a time. */
export interface SpanWords {
  /** The end of one: `week`, `nextWeek`, `month`, `nextMonth`, or of a month `named`, of a `year` or none. */
  readonly end: RegExp;
  /** A week to come, by itself. */
  readonly toCome: RegExp;
  /** Right before one: by it, which is as it begins. */
  readonly by: RegExp;
  /** Right before one: a part of it, or a time that it only bounds. */
  readonly partOf: RegExp;
  /** So long from now: a `count` of `days`, `weeks` or `months`. */
  readonly within: RegExp;
  /** January first; spellings of one apart by a stroke. */
  readonly months: readonly string[];
  /** One first; spellings of one apart by a stroke. */
  readonly counts: readonly string[];
  /** Before an end: it is vague, or none to do something by. */
  readonly vague: RegExp;
  /** Before an end: so long something is as it is. */
  readonly until: RegExp;
  /** Behind a span: it begins at something else than the letter. */
  readonly elsewhere: RegExp;
  /** Before a span: somebody says what they will do, or others. */
  readonly promised: RegExp;
}

interface Written {
  /** @param named a month by its name */
  readonly end: (named: string) => string;
  readonly toCome: string;
  readonly by: string;
  readonly partOf: string;
  readonly within: string;
  readonly units: readonly [days: string, weeks: string, months: string];
  readonly months: string;
  readonly counts: string;
  readonly vague: string;
  readonly until: string;
  readonly elsewhere: string;
  readonly promised: string;
}

const whole = (words: string) => `(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}\\p{N}])`;

function wordsOf(written: Written): SpanWords {
  const { units, toCome, by, partOf, vague, until, elsewhere, promised } = written;
  const [monthNames, countNames] = [written.months.split(" "), written.counts.split(" ")];
  const named = `(?<named>${monthNames.join("|")})(?:,? (?:de |del )?(?<year>20\\d\\d))?`;
  const count = `(?<count>\\d{1,2}|${countNames.join("|")}) (?:(?<days>${units[0]})|(?<weeks>${units[1]})|(?<months>${units[2]}))`;
  return {
    end: new RegExp(whole(written.end(named)), "giu"),
    toCome: new RegExp(whole(toCome), "giu"),
    by: new RegExp(`(?<!\\p{L})(?:${by})\\s*$`, "iu"),
    partOf: new RegExp(`(?<!\\p{L})(?:${partOf})[\\s-]*$`, "iu"),
    within: new RegExp(whole(`(?:${written.within}) ${count}`), "giu"),
    months: monthNames,
    counts: countNames,
    vague: new RegExp(`(?<!\\p{L})(?:${vague})\\s*$`, "iu"),
    until: new RegExp(`(?<!\\p{L})(?:${until})\\s*$`, "iu"),
    elsewhere: new RegExp(`^[\\s,(]*(?:${elsewhere})`, "iu"),
    promised: new RegExp(`(?<!\\p{L})(?:${promised})(?!\\p{L})`, "iu"),
  };
}

export const spanWords: Readonly<Record<DateLanguage, SpanWords>> = {
  en: wordsOf({
    end: (named) =>
      `(?:the )?end of (?:(?:the month of )?${named}|(?<week>(?:the |this )?week)|(?<nextWeek>(?:the )?(?:next|coming) week)|(?<month>(?:the |this )?month)|(?<nextMonth>(?:the )?(?:next|coming) month))`,
    toCome: "(?:in the |the )?(?:next|coming) week",
    by: "by|no later than",
    partOf:
      "before|prior to|until|till|early|earlier|late|later|beginning|start|middle|mid|half|part|day|days|of|of the",
    within: "(?:within|in) the next|within",
    units: ["days?", "weeks?", "months?"],
    months: "january february march april may june july august september october november december",
    counts: "one|an? two three four five six seven eight nine ten eleven twelve",
    vague: "(?:towards?|around|near|about|after|since|from|past|at|happens?|comes?)(?: the)?",
    until: "(?:until|till)(?: the)?",
    elsewhere: "(?:of|after|following|upon|since|before|prior|from(?! (?:today|now)(?!\\p{L})))(?!\\p{L})",
    promised: "(?:we|i|they|he|she|it|you)(?:['’]ll| will| shall| aim| try| usually| normally)|will be|you have",
  }),
  de: wordsOf({
    end: (named) =>
      `(?:zum )?ende (?:(?:des monats )?${named}|(?<week>(?:der|dieser) woche)|(?<nextWeek>(?:der )?(?:nächsten|nächster|kommenden|kommender) woche)|(?<month>(?:des|dieses) monats)|(?<nextMonth>(?:des )?(?:nächsten|kommenden) monats))`,
    toCome: "(?:in der |im laufe der )?(?:nächste[nr]?|kommende[nr]?) woche",
    by: "bis|bis zu[rm]?|spätestens",
    partOf: "vor|vor der|anfang|mitte|ende|beginn|ab|seit|hälfte|tag|der",
    within: "(?:innerhalb|binnen)(?: von)?(?: der nächsten| den nächsten)?|in den nächsten",
    units: ["tag(?:en?|es)?", "wochen?", "monat(?:en?|s)?"],
    months: "januar|jänner februar märz april mai juni juli august september oktober november dezember",
    counts: "ein(?:e[nrms]?)? zwei(?:er)? drei(?:er)? vier fünf sechs sieben acht neun zehn elf zwölf",
    vague: "(?:gegen|etwa|ungefähr|ab|nach|seit|am|ums?)(?: dem| das)?",
    until: "bis(?: zum| zu)?",
    elsewhere: "(?:nach|vor|seit|von|vom|des|der|ab(?! (?:heute|jetzt|sofort)(?!\\p{L})))(?!\\p{L})",
    promised: "wir|ich|wird|werden|erhalten|bekommen",
  }),
  fr: wordsOf({
    end: (named) =>
      `(?:la )?fin (?:(?:(?:du mois )?d(?:e |['’]))?${named}|(?<nextWeek>de (?:la )?semaine prochaine|de la prochaine semaine)|(?<week>de (?:la |cette )semaine)|(?<nextMonth>du mois prochain|du prochain mois)|(?<month>du mois|de ce mois))`,
    toCome: "(?:dans )?(?:la )?(?:semaine prochaine|semaine qui vient)",
    by: "d['’]ici|pour",
    partOf: "avant|jusqu['’]à|début|milieu|fin|dès|de|à partir de",
    within: "sous|d['’]ici(?: à)?|dans (?:les|un délai de)",
    units: ["(?:prochains )?jours?", "(?:prochaines )?semaines?", "(?:prochains )?mois"],
    months:
      "janvier février|fevrier mars avril mai juin juillet août|aout septembre octobre novembre décembre|decembre",
    counts: "une? deux trois quatre cinq six sept huit neuf dix onze douze",
    vague: "vers|environ|après|depuis|dès|à partir de|en|à",
    until: "jusqu['’]à",
    elsewhere: "(?:de|du|des|après|suivant|avant|à (?:compter|partir|réception)|d['’](?!aujourd))(?!\\p{L})",
    promised: "nous (?:vous |te |les? )?\\p{L}+ons|je|il|elle|sera|seront|serez|recevrez|aurez",
  }),
  es: wordsOf({
    end: (named) =>
      `(?:el |la )?(?:final|fin|finales) (?:(?:del mes )?de ${named}|(?<nextWeek>de la próxima semana|de la semana que viene)|(?<week>de (?:la|esta) semana)|(?<nextMonth>del próximo mes|del mes que viene)|(?<month>de mes|del mes|de este mes))`,
    toCome: "(?:en )?(?:la )?(?:próxima semana|proxima semana|semana que viene)",
    by: "para",
    partOf: "antes de|hasta|principios de|mediados de|a partir de|de",
    within: "en el plazo de|en un plazo de|en (?:los|las) próxim[oa]s",
    units: ["días?", "semanas?", "mes(?:es)?"],
    months: "enero febrero marzo abril mayo junio julio agosto septiembre|setiembre octubre noviembre diciembre",
    counts: "una? dos tres cuatro cinco seis siete ocho nueve diez once doce",
    vague: "hacia|sobre|después(?: de)?|tras|desde|a partir(?: de)?|al?|en",
    until: "hasta",
    elsewhere: "(?:desde|a partir|después|tras|de|del|posterior\\p{L}*|antes)(?!\\p{L})",
    promised: "\\p{L}+remos|recibirá|recibirás|será|serán|tendrá",
  }),
  it: wordsOf({
    end: (named) =>
      `(?:la )?fine (?:(?:del mese )?(?:di )?${named}|(?<nextWeek>della (?:prossima settimana|settimana prossima))|(?<week>(?:della|di questa) settimana)|(?<nextMonth>del (?:prossimo mese|mese prossimo))|(?<month>mese|del mese|di questo mese))`,
    toCome: "(?:nella )?(?:la )?(?:settimana prossima|prossima settimana)",
    by: "entro|per",
    partOf: "prima della|fino alla|inizio|metà|dalla|della|di",
    within: "entro(?: i prossimi| le prossime)?|nei prossimi|nelle prossime",
    units: ["giorn[oi]", "settiman[ae]", "mes[ei]"],
    months: "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    counts: "un[oa]? due tre quattro cinque sei sette otto nove dieci undici dodici",
    vague: "verso|circa|dopo|dalla|da|a|alla",
    until: "fino a(?:lla)?",
    elsewhere: "(?:da|dal|dalla|dall['’](?!oggi)|dopo|di|del|della|successiv\\p{L}*|prima)(?!\\p{L})",
    promised: "\\p{L}+remo|riceverà|riceverai|sarà|saranno|avrà",
  }),
};
