/**
 * Which legacy encoding a text that is not UTF-8 is in. Statistics of bytes (chardet) need pages of text and take a line
 * of KOI8-R for Greek; here every candidate is decoded, and the reading that looks most like words wins. Labels are those
 * of the Encoding Standard.
 */
const multiByte = ["shift_jis", "euc-jp", "gb18030", "big5", "euc-kr"] as const;
const cyrillic = ["windows-1251", "koi8-u", "ibm866", "iso-8859-5"] as const;
const others = [
  "windows-1252",
  "windows-1250",
  "windows-1253",
  "windows-1255",
  "windows-1256",
  "windows-1254",
  "windows-874",
] as const;

/** A charset from before Unicode that a text may be in, as the Encoding Standard calls it. */
export type LegacyCharset = (typeof multiByte | typeof cyrillic | typeof others)[number];

/** More than this does not make the answer surer, and each look is a reading in every charset. */
const probeBytes = 8 * 1024;
/** So much of ASCII before and behind a foreign character: words' other letters. */
const wordBytes = 64;
/** Letters that make up half of any Russian, Ukrainian, Bulgarian or Serbian text. */
const commonCyrillic = /[оеаинтсрвл]/gu;
/** The commonest characters of Japanese, Chinese and Korean running text. */
const kana = /[\u3041-\u3096\u30a1-\u30fa]/gu;
const commonHan =
  /[的一是不了人我在有他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后小么心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长知民样现分将外但身些与高意进把法此实回二理美点月明其种声全工己话儿者向情部正名定女问力机给等几很业最间新什打便位因重被走电四第门相次東會們這個時國說來對發過後見經頭長樣現點聲裡業間電門議紀要貴社様]/gu;
/** Marks of Chinese and Japanese sentences, which hold no figures and no letters of two widths. */
const fullStops = /[、。《》「」！（），：；？]/gu;
const hangul = /[\uac00-\ud7a3]/gu;
const commonHangul =
  /[이다는에의을를가고하지사로기아은들시도리대인어자나해서그일수정부있한니습과와으만보안없것여스트장주원전제회요등면라성교동구선무모된]/gu;
/** Letters that make up most of any text of these alphabets; others see them as letters that are rare. */
const commonIn: Readonly<Record<string, RegExp>> = {
  "windows-1253": /[αοιετσνηρκπλάέήίόύώς]/gu,
  "windows-1255": /[יוהלאמרתבש]/gu,
  "windows-1256": /[اليمونترب]/gu,
  "windows-874": /[านรอกเงมยลวดทสตะิีั่้]/gu,
};

/** Of a text that is damaged here and there so much does not decode. */
const mostBroken = 0.01;

const countOf = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

/**
 * The encoding that reads the bytes best; `windows-1252` when nothing does better.
 *
 * @param bytes text that is not UTF-8 and not UTF-16; it may be cut inside of a character
 */
export function likelyEncoding(bytes: Uint8Array): LegacyCharset {
  return likeliest(telling(bytes)).label;
}

/**
 * Most bytes of one charset of two bytes a letter are letters in the others too: of the wrong script, or such as nobody writes. Programs
 * declare the one of the country they are sold in.
 */
function otherOfTwoBytes(probe: Uint8Array, declared: string): string {
  const own = multiByte.find((label) => label === (declared === "gbk" ? "gb18030" : declared));
  const foreign = probe.filter((byte) => byte > 0x7f);
  if (own === undefined || foreign.length < fewestOfTwo.bytes || new Set(foreign).size < fewestOfTwo.values)
    return declared;
  const { label, score } = likeliest(probe, multiByte);
  return score > Math.max(scoreOf(probe, own) + plainly, plainlyText) ? label : declared;
}

function likeliest(
  probe: Uint8Array,
  among: readonly LegacyCharset[] = [...others, ...cyrillic, ...multiByte],
): { readonly label: LegacyCharset; readonly score: number } {
  let best: { label: LegacyCharset; score: number } = { label: "windows-1252", score: 0 };
  for (const label of among) {
    const score = scoreOf(probe, label);
    if (score > best.score) best = { label, score };
  }
  return best;
}

/** A few bytes, or a row of one sign that decorates a line, prove nothing against what is declared. */
const fewestTelling = { bytes: 6, values: 5 } as const;
/** By so much the other reading has to be more like words. Of texts in 35 languages none that is what it declares comes near. */
const plainly = 0.25;
/** A name or two of one charset of two bytes a letter may be anything in another. */
const fewestOfTwo = { bytes: 16, values: 8 } as const;
/** Running text of Chinese, Japanese or Korean scores more; names, lists and figures need not. */
const plainlyText = 0.5;
/** Of what is beyond ASCII, so much is no character in the charset it is not in. */
const plainlyBroken = 0.2;

/**
 * The encoding to read bytes in that declare one: another where they plainly are not in that. A Latin one is declared by programs that
 * know of no other, and makes of other alphabets rows of accents, which no Latin language has.
 *
 * @param bytes as of {@link likelyEncoding} @param declared a label of the Encoding Standard
 */
export function fittingEncoding(bytes: Uint8Array, declared: string): string {
  const probe = telling(bytes);
  const foreign = probe.filter((byte) => byte > 0x7f);
  if (foreign.length < fewestTelling.bytes || new Set(foreign).size < fewestTelling.values) return declared;
  const family = latinFamilies[declared];
  if (family === undefined && brokenShare(bytes, declared) <= plainlyBroken) return otherOfTwoBytes(probe, declared);
  const { label, score } = likeliest(probe);
  if (family === undefined) return label;
  return !latin.has(label) && score > scoreOf(probe, declared, family) + plainly ? label : declared;
}

function brokenShare(bytes: Uint8Array, label: string): number {
  const foreign = new TextDecoder(label).decode(bytes, { stream: true }).match(/[^\0-\x7f]/gu) ?? [];
  return foreign.filter((character) => character === "\ufffd").length / Math.max(1, foreign.length);
}

/** Blanks that do not break, of Latin texts; in `ibm866` each would be the commonest letter of Russian. */
const noBreakSpaces = /(?<![\x80-\xff])\xa0+(?![\x80-\xff])/g;

/** Foreign characters with what stands around them: pages and source files have long stretches of ASCII, which tells nothing. */
function telling(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1").replace(noBreakSpaces, " ");
  const near = text.replace(/[\0-\x7f]+/g, (run) =>
    run.length > 2 * wordBytes ? `${run.slice(0, wordBytes)}${run.slice(-wordBytes)}` : run,
  );
  return Buffer.from(near.slice(0, probeBytes), "latin1");
}

/**
 * From 0 (no text) to about 1 (every foreign character is one that words are made of).
 *
 * @param label whose languages it is looked at as
 */
function scoreOf(bytes: Uint8Array, encoding: string, label = encoding): number {
  // `stream`: the text may be cut inside of a character.
  const text = new TextDecoder(encoding).decode(bytes, { stream: true });
  const foreign = Array.from(text).filter((character) => character > "\u007f");
  if (foreign.length === 0) return 0;
  const joined = foreign.join("");
  if (countOf(joined, /\ufffd/gu) > foreign.length * mostBroken) return 0;
  // Controls of the upper half and box drawing stand in no prose.
  const odd = countOf(joined, /[\u0080-\u009f\u2500-\u259f\ue000-\uf8ff]/gu);
  const oddShare = odd / foreign.length;
  if (oddShare > 0.05) return 0;
  const score = (scriptScore(text, joined, foreign.length, label) - oddShare) * lengthFactor(label, foreign.length);
  return latin.has(label) ? score : score - countOf(text, alone) / foreign.length;
}

/** The alphabets whose letters stand among those of ASCII; a word of another script is of that script throughout. */
const latin: ReadonlySet<string> = new Set(["windows-1250", "windows-1252", "windows-1254"]);
/** Latin charsets by the one of these that is most like them. */
const latinFamilies: Readonly<Record<string, string>> = {
  "windows-1252": "windows-1252",
  "iso-8859-15": "windows-1252",
  macintosh: "windows-1252",
  "windows-1250": "windows-1250",
  "iso-8859-2": "windows-1250",
  "windows-1254": "windows-1254",
};
/** What stands between ASCII on both sides: a space that does not break, a sign of money or of a list, in a text that is Latin. */
const alone = /(?<![^\0-\x7f])[^\0-\x7f](?![^\0-\x7f])/gu;

/**
 * A single pair of bytes is a character of some kind in every double-byte encoding: few of them prove little. Nor do a few letters of Thai,
 * which any two Chinese characters may be taken for.
 */
const lengthFactor = (label: string, count: number) =>
  (multiByte.some((each) => each === label) && count < 3) || (label === "windows-874" && count < 8) ? 0.5 : 1;

function scriptScore(text: string, foreign: string, count: number, label: string): number {
  if (label === "shift_jis" || label === "euc-jp") {
    // Half-width katakana are what other encodings look like when read as Japanese.
    const halfWidth = countOf(foreign, /[\uff61-\uff9f]/gu);
    return (countOf(foreign, kana) + 0.8 * countOf(foreign, commonHan) + 0.25 * han(foreign) - 2 * halfWidth) / count;
  }
  if (label === "gb18030" || label === "big5") {
    return (0.9 * countOf(foreign, commonHan) + 0.25 * han(foreign) + 0.5 * countOf(foreign, fullStops)) / count;
  }
  if (label === "euc-kr")
    return (0.4 * countOf(foreign, hangul) + 0.6 * countOf(foreign, commonHangul) + 0.1 * han(foreign)) / count;
  if (cyrillic.some((each) => each === label)) return cyrillicScore(text, foreign, count);
  return alphabetScore(text, foreign, count, label);
}

const han = (text: string) => countOf(text, /\p{Script=Han}/gu);

/** Words begin with a capital or have none: read in the wrong one of these encodings, the cases are swapped. */
function cyrillicScore(text: string, foreign: string, count: number): number {
  const letters = countOf(foreign, /\p{Script=Cyrillic}/gu);
  const lower = countOf(foreign, /[а-яёіїєґ]/gu);
  const swapped = countOf(text, /[а-яёіїєґ][А-ЯЁІЇЄҐ]/gu);
  const common = countOf(foreign, commonCyrillic);
  const mixed = countOf(text, /[A-Za-z](?=\p{Script=Cyrillic})|\p{Script=Cyrillic}(?=[A-Za-z])/gu);
  return (0.4 * letters + 0.3 * lower + 0.5 * common - swapped - mixed) / count;
}

const scripts: Readonly<Record<string, RegExp>> = {
  "windows-1253": /\p{Script=Greek}/gu,
  "windows-1255": /\p{Script=Hebrew}/gu,
  "windows-1256": /\p{Script=Arabic}/gu,
  "windows-874": /\p{Script=Thai}/gu,
};

/**
 * A final sigma ends its word, and a capital begins one. A mark of Thai stands above or below a consonant, some vowels before one;
 * its figures and signs are in no word, and some letters in few.
 */
const misplacedIn =
  /ς(?=[α-ω])|[α-ω](?=[Α-Ω])|(?<![ก-ฮ\u0e31\u0e34-\u0e3a\u0e47-\u0e4e])[\u0e31\u0e33-\u0e3a\u0e47-\u0e4e]|[เ-ไ](?![ก-ฮ])|[ก-ฮ\u0e30-\u0e4e](?=[๏-๛])|[ฃฅฆฌฎฏฑฒฤฦฬฮ\u0e4d]/gu;

const commonLatin: Readonly<Record<string, RegExp>> = {
  "windows-1250": /[čěřšžýáíéůąęłśćżóńőű]/giu,
  "windows-1254": /[ğışçöüâ]/giu,
};

/** Accented letters within words (of `ø` before a vowel it is the Czech `ř`), as Western and Central European languages have them, rarely side by side. */
function alphabetScore(text: string, foreign: string, count: number, label: string): number {
  const script = scripts[label];
  if (script !== undefined) {
    const letters = countOf(foreign, script);
    // Greek, Hebrew, Arabic and Thai words are of their letters throughout: neighbours of Latin letters are no such text.
    const mixed = countOf(text, /[A-Za-z](?=[\u0370-\u06ff\u0e00-\u0e7f])|[\u0370-\u06ff\u0e00-\u0e7f](?=[A-Za-z])/gu);
    const common = countOf(foreign, commonIn[label] ?? script);
    const misplaced = countOf(text, misplacedIn);
    return (0.4 * letters + 0.6 * common - mixed - misplaced) / count;
  }
  const letters = countOf(foreign, /\p{Script=Latin}/gu);
  const common = countOf(text, commonLatin[label] ?? /[éèàçêäöüßáíóúñåôîæ]|ø(?![aeiouáéíì])|[ìòù](?!\p{L})/giu);
  const typographic = countOf(text, /[\u00a0\u00a1\u00a7\u00ab\u00b0\u00bb\u00bf\u2013-\u2026\u20ac]|£(?=[ \d])/gu);
  const inWord = countOf(text, /(?<=[A-Za-z])\p{Script=Latin}(?<=[^A-Za-z])|[^A-Za-z\P{Script=Latin}](?=[a-z])/gu);
  // A sign within a word is a letter of another encoding; three accents in a row are in no Latin word.
  const signs = countOf(text, /(?<=[a-z])[\u00a1-\u00bf](?=[a-z])|(?<=[a-z])[\u00b2-\u00b9](?![\w])/gu);
  const runs = countOf(text, /[^\P{Script=Latin}A-Za-z]{3}/gu);
  const shaped = 0.25 * letters + 0.3 * common + 0.5 * typographic + 0.25 * Math.min(inWord, count);
  return (shaped - signs - 1.5 * runs) / count + (label === "windows-1252" ? 0.06 : 0);
}
