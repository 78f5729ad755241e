/** Cyrillic and Greek letters that pass for Latin ones (a choice from Unicode TR 39's confusables). */
const lookalikes = new Map(
  Object.entries({
    а: "a",
    е: "e",
    о: "o",
    р: "p",
    с: "c",
    х: "x",
    у: "y",
    і: "i",
    ѕ: "s",
    ј: "j",
    ԁ: "d",
    һ: "h",
    ӏ: "l",
    А: "A",
    В: "B",
    Е: "E",
    К: "K",
    М: "M",
    Н: "H",
    О: "O",
    Р: "P",
    С: "C",
    Т: "T",
    Х: "X",
    У: "Y",
    І: "I",
    Ѕ: "S",
    ο: "o",
    α: "a",
    ν: "v",
    ρ: "p",
    τ: "t",
    υ: "u",
    ι: "i",
    Α: "A",
    Β: "B",
    Ε: "E",
    Ι: "I",
    Ο: "O",
    Ρ: "P",
    Τ: "T",
  }),
);
const letters = /\p{L}{2,60}/gu;
const latin = /\p{Script=Latin}/u;
const cyrillicOrGreek = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;
/** Compatibility forms can be eighteen letters long each (U+FDFA): what they may add is bounded. */
const mostGrowth = 2;

/** Text made comparable, and how much had to be undone for it: both speak of disguise. */
export interface PlainText {
  /** Compatibility forms folded (𝐁𝐚𝐧𝐤 to Bank), lookalikes in mixed words made Latin; case and accents kept. */
  readonly text: string;
  /** Words that mixed scripts. */
  readonly mixedWords: number;
  /** Styled letters (mathematical, full width, enclosed) that stood for plain ones. */
  readonly styledLetters: number;
}

/** Text of ASCII alone is in its plain form already, and has no accents. */
const ascii = /^[\0-\x7f]*$/;

/** Undoes disguises that leave a text readable to a person. */
export function plainText(raw: string): PlainText {
  if (ascii.test(raw)) return { text: raw, mixedWords: 0, styledLetters: 0 };
  const styledLetters =
    raw.match(/[\u{1d400}-\u{1d7ff}\uff21-\uff3a\uff41-\uff5a\u24b6-\u24e9\u{1f130}-\u{1f189}]/gu)?.length ?? 0;
  let mixedWords = 0;
  const folded = raw.normalize("NFKC").slice(0, mostGrowth * raw.length);
  const text = folded.replace(letters, (word) => {
    if (!latin.test(word) || !cyrillicOrGreek.test(word)) return word;
    mixedWords += 1;
    return [...word].map((letter) => lookalikes.get(letter) ?? letter).join("");
  });
  return { text, mixedWords, styledLetters };
}

/** Lower case without accents: what lexicon and vocabulary are written in. */
export function fold(text: string): string {
  if (ascii.test(text)) return text.toLowerCase();
  return text
    .toLowerCase()
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .normalize("NFC")
    .replaceAll("ß", "ss")
    .replaceAll("ø", "o")
    .replaceAll("ł", "l");
}

/** Words of folded text: letters with inner apostrophes and hyphens; digits become `0`, so that years and ids go. */
export function words(folded: string): string[] {
  return (folded.match(/\p{L}+(?:['’-]\p{L}+)*|\d+(?:[.,:]\d+)*/gu) ?? []).map((word) =>
    isNumber(word)
      ? `0${"0".repeat(Math.min(3, word.replace(/\D/g, "").length - 1))}`
      : word.slice(0, word.charCodeAt(0) <= 0x24f ? 24 : 200),
  );
}

/** Whether a word is a number: of what words are made of, only digits are. */
function isNumber(word: string): boolean {
  const first = word.charCodeAt(0);
  return first >= 0x30 && first <= 0x39;
}

/** A subject without the `[list]` tags a mailing list puts before it: they name the list and not the mail. */
export function withoutListTag(subject: string): string {
  return subject.replace(/^(?:\s*\[[^\]]{1,40}\])+/, "");
}

/**
 * Text as it was before a tokeniser put blanks around every sign (`don ' t`, `$ 5 . 99`): what is learned from such a
 * collection then holds for mail as people send it, and which collection a mail came from cannot be told from its blanks.
 */
export function joined(text: string): string {
  return text
    .replace(/(?<![ \t])[ \t]+(?=[.,;:!?)\]}%'’"/-])/g, "")
    .replace(/(?<=[([{$€£'’/-])[ \t]+/g, "")
    .replace(/(?<=\d[.,:])[ \t](?=\d)/g, "");
}

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}ー]+/gu;

/**
 * The entries of a vocabulary: words, and of scripts that put no blanks between them (or glue endings on, as Korean does)
 * each two neighbouring characters.
 */
export function entries(folded: string): string[] {
  return words(folded).flatMap((word) => {
    if (word.search(unspaced) < 0) return [word];
    const runs = word.match(unspaced) ?? [];
    return runs.flatMap((run) =>
      run.length < 2 ? [run] : Array.from({ length: run.length - 1 }, (_, at) => run.slice(at, at + 2)),
    );
  });
}

/** Where a link leads says nothing of the next mail: text without hosts, paths and mail addresses. */
export function withoutAddresses(text: string): string {
  return text.replace(/(?:https?:\/\/|www\.)\S{1,500}|[\w.+-]{1,64}@[\w.-]{1,200}/gi, " ");
}
