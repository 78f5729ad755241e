/** Scripts that stand for one language, or for the one that is by far the most frequent in them. */
const scripts: readonly [RegExp, string][] = [
  [/[\u3040-\u30ff]/g, "ja"],
  [/[\uac00-\ud7af]/g, "ko"],
  [/[\u4e00-\u9fff]/g, "zh"],
  [/[\u0400-\u04ff]/g, "ru"],
  [/[\u0370-\u03ff]/g, "el"],
  [/[\u0590-\u05ff]/g, "he"],
  [/[\u0600-\u06ff]/g, "ar"],
  [/[\u0900-\u097f]/g, "hi"],
  [/[\u0e00-\u0e7f]/g, "th"],
];

/** The most frequent small words of a language that are rare in the others. */
const smallWords: Record<string, readonly string[]> = {
  en: ["the", "and", "of", "to", "is", "that", "for", "with", "this", "are", "you", "not", "be", "it", "from", "or"],
  de: [
    "der",
    "die",
    "und",
    "das",
    "ist",
    "nicht",
    "ein",
    "eine",
    "den",
    "mit",
    "auf",
    "für",
    "von",
    "sich",
    "dem",
    "zu",
  ],
  fr: ["le", "les", "et", "des", "est", "une", "dans", "pour", "qui", "pas", "sur", "vous", "avec", "du", "au", "ce"],
  es: ["el", "los", "las", "que", "una", "por", "con", "para", "del", "como", "más", "pero", "este", "y", "su", "es"],
  it: [
    "il",
    "che",
    "di",
    "per",
    "una",
    "del",
    "della",
    "con",
    "non",
    "sono",
    "gli",
    "nel",
    "più",
    "anche",
    "è",
    "alla",
  ],
  pt: ["que", "não", "uma", "para", "com", "os", "do", "da", "em", "por", "mais", "dos", "como", "são", "ao", "você"],
  nl: [
    "het",
    "een",
    "van",
    "en",
    "niet",
    "dat",
    "zijn",
    "voor",
    "met",
    "op",
    "te",
    "aan",
    "ook",
    "maar",
    "bij",
    "wordt",
  ],
  sv: ["och", "att", "det", "som", "inte", "för", "är", "på", "med", "av", "till", "den", "ett", "om", "från", "har"],
  pl: ["nie", "się", "jest", "na", "że", "do", "to", "jak", "ale", "od", "przez", "dla", "są", "przy", "oraz", "być"],
  cs: [
    "že",
    "není",
    "jsou",
    "který",
    "pro",
    "jako",
    "jsem",
    "být",
    "podle",
    "při",
    "také",
    "této",
    "však",
    "je",
    "se",
    "na",
  ],
};
const owners = new Map<string, string[]>();
for (const [language, words] of Object.entries(smallWords)) {
  for (const word of words) owners.set(word, [...(owners.get(word) ?? []), language]);
}

const maxSampleChars = 20_000;
const leastWords = 30;
/** Prose is a quarter small words and more; program text and lists have hardly any. */
const leastShare = 0.08;

/** ISO 639-1 code of the language a text is written in, by its script and its small words; undefined when unsure. */
export function naturalLanguageOf(text: string): string | undefined {
  const sample = text.slice(0, maxSampleChars);
  const letters = sample.match(/\p{L}/gu)?.length ?? 0;
  if (letters < 20) return undefined;
  for (const [pattern, language] of scripts) {
    // Japanese is kana among Han, so a fifth is enough for it.
    if ((sample.match(pattern)?.length ?? 0) > letters * (language === "ja" ? 0.15 : 0.4)) return language;
  }
  const words = sample.toLowerCase().match(/\p{L}+/gu) ?? [];
  if (words.length < leastWords) return undefined;
  const scores = new Map<string, number>();
  for (const word of words) {
    const languages = owners.get(word) ?? [];
    for (const language of languages) scores.set(language, (scores.get(language) ?? 0) + 1 / languages.length);
  }
  const [best, second] = [...scores].toSorted(([, a], [, b]) => b - a);
  if (best === undefined || best[1] < words.length * leastShare) return undefined;
  return best[1] > (second?.[1] ?? 0) * 1.3 ? best[0] : undefined;
}
