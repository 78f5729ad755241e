import { dividedWords, lookOf, onceEach, plainWords, sameLetters } from "./disguise.ts";

/** Words that advertising takes apart by a blank alone (`mo rtgage`): nobody's sentence has both halves side by side. */
const byBlank = new Set(
  "viagra cialis levitra valium xanax vicodin ambien phentermine codeine pharmacy medication medications prescription prescriptions mortgage refinance software rolex diploma university erection"
    .split(" ")
    .map(lookOf),
);
/** Others it takes apart by signs, or into letters; shorter ones stand between other people's signs by chance. */
const leastLetters = 6;
const bySign = new Set(
  [
    ...dividedWords,
    ..."products customers discount delete removed ordering message information savings website satisfaction guaranteed shopping".split(
      " ",
    ),
  ]
    .filter((word) => word.length >= leastLetters && /^[a-z]+$/.test(word))
    .map(lookOf),
);
/** Every beginning of one of them: a row of pieces that has none of these is looked at no further. */
const beginnings = new Set(
  [...byBlank, ...bySign].flatMap((word) => Array.from(word, (_, at) => word.slice(0, at + 1))),
);
const mostCharacters = 2_000;
const mostPieces = 14;
/** Letters that stand alone or in twos. */
const shortPiece = 2;
/** A word of the lexicon with so many letters is no piece of another. */
const ownWord = 4;
/** Signs that words are joined by, and what begins another line. */
const joins = /[\n'’/()<>"&-]/;

/** What stands between two blanks or signs, as it is and as it looks. */
interface Piece {
  readonly text: string;
  readonly look: string;
  /** What stands before it. */
  readonly before: string;
}

/**
 * How many words of advertising are taken apart by signs, blanks or letters no reader minds: `v i a - g r a`, `mo . r tgage`, `ord . ering`. They
 * begin where a piece begins and end where one ends: in `social security` there is no `cialis`.
 * @param text in lower case, without addresses
 */
export function brokenWords(text: string): number {
  const pieces = piecesOf(text.slice(0, mostCharacters));
  const found = new Set<string>();
  for (let from = 0; from < pieces.length; from += 1) {
    const word = brokenAt(pieces, from);
    if (word !== undefined) found.add(word);
  }
  return found.size;
}

function piecesOf(text: string): readonly Piece[] {
  // Of the text as a whole: letter by letter it would take most of the time.
  const looks = sameLetters(text);
  let end = 0;
  return Array.from(text.matchAll(/[\p{L}\p{N}@$|]+/gu), ({ 0: piece, index }) => {
    const before = text.slice(end, index);
    end = index + piece.length;
    return { text: piece, look: looks.slice(index, end), before };
  });
}

function brokenAt(pieces: readonly Piece[], from: number): string | undefined {
  let look = onceEach(pieces[from]?.look ?? "");
  let [signs, isJoined] = [false, false];
  for (let to = from + 1; to < Math.min(pieces.length, from + mostPieces) && beginnings.has(look); to += 1) {
    const last = pieces[to];
    if (last === undefined) return undefined;
    signs ||= /\S/.test(last.before);
    isJoined ||= joins.test(last.before);
    const shorter = look;
    look = onceEach(look + last.look);
    if (!byBlank.has(look) && !bySign.has(look)) continue;
    const row = pieces.slice(from, to + 1);
    if (!byBlank.has(look) && (isJoined || !isTorn(row, signs))) continue;
    // A first or last piece that adds nothing is no part of the word: the letter of `message, e`, the sum of `price: $ 5`.
    const withoutFirst = onceEach(row.slice(1).reduce((all, piece) => all + piece.look, ""));
    if (shorter !== look && withoutFirst !== look && /[a-z\d]/.test(last.text)) return look;
  }
  return undefined;
}

function isTorn(row: readonly Piece[], signs: boolean): boolean {
  const isInLetters = row.every(({ text }) => text.length <= shortPiece);
  return (signs || isInLetters) && !row.some(({ text }) => text.length >= ownWord && plainWords.has(text));
}
