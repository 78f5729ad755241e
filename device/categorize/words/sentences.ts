import { mostCharacters } from "./letter-text.ts";

const mostSentences = 120;
const longestSentence = 600;

/** A sentence as it stands in the text. */
export interface Sentence {
  /** On one line. */
  readonly text: string;
  /** Verbatim, with the line breaks it has in the text. */
  readonly written: string;
  readonly isQuestion: boolean;
}

/** Where a full stop ends no sentence. */
const shortened = "(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|[ap]\\.m|mr|mrs|ms|dr|prof|nr|no|ca|approx)";
const sentenceEnd = new RegExp(`(?<=[.!?…])(?<!\\d\\.)(?<!(?<!\\p{L})${shortened}\\.)\\s+`, "giu");

/** What its sender wrote, sentence by sentence: what is quoted of others, and a signature, are left out. */
export function sentencesOf(text: string): Sentence[] {
  const found: Sentence[] = [];
  for (const written of paragraphsOf(text.slice(0, mostCharacters).split("\n"))) {
    // As long as what is written, so that a place in one is that place in the other.
    const line = written.replaceAll("\n", " ");
    let from = 0;
    for (const end of line.matchAll(sentenceEnd)) {
      add(found, written.slice(from, end.index));
      from = end.index + end[0].length;
    }
    add(found, written.slice(from));
    if (found.length >= mostSentences) break;
  }
  return found.slice(0, mostSentences);
}

/** Of what is too long for a sentence its lines count, which then are no pieces of one. */
function add(found: Sentence[], part: string): void {
  const written = part.trim();
  const text = written.replaceAll("\n", " ");
  if (text.length > longestSentence && text !== written) for (const line of written.split("\n")) add(found, line);
  if (text === "" || text.length > longestSentence) return;
  found.push({ text, written, isQuestion: /[?？]\p{Pe}?$/u.test(text) });
}

/** What is quoted of others; some programs put their initials before the mark. */
const quoted = /^\s*(?:\p{Lu}{1,3}>|[>|])/u;
/** Programs break lines where they would grow longer than a number of characters, which two lines come near at least. */
const brokenAt = { least: 50, most: 100, near: 15 } as const;
const endsItself = /[.!?:;…。！？：]\p{Pe}?$/u;
const beginsItself = /^(?:[-*•–+>|]|\d{1,2}[.)] )/u;

/** Lines, those put together that go on in the next because its first word had no room in them. */
function paragraphsOf(lines: readonly string[]): string[] {
  const end = lines.findIndex((line) => line.trim() === "--");
  const own = lines.slice(0, end < 0 ? lines.length : end).filter((line) => !quoted.test(line));
  const lengths = own.map(({ length }) => length).filter((length) => length <= brokenAt.most);
  const width = Math.max(0, ...lengths);
  const isBroken = lengths.filter((length) => length > width - brokenAt.near).length > 1;
  const goesOn = (before: string, line: string) => {
    const [word = ""] = line.split(" ", 1);
    const hadNoRoom = before.length <= width && before.length + 1 + word.length > width;
    return hadNoRoom && word !== "" && !endsItself.test(before) && !beginsItself.test(line);
  };
  const paragraphs: string[] = [];
  let before: string | undefined;
  for (const line of own) {
    const mayGoOn = isBroken || /^\p{Ll}/u.test(line.trim());
    if (before !== undefined && width >= brokenAt.least && mayGoOn && goesOn(before.trimEnd(), line.trim())) {
      paragraphs.push(`${paragraphs.pop() ?? ""}\n${line}`);
    } else paragraphs.push(line);
    before = line;
  }
  return paragraphs;
}
