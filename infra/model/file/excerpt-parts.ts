/** A text as the device shows it: whole, or its head, its outline and its end with a word about what lies between. */
export interface ExcerptParts {
  readonly head: string;
  /** Lines of the left-out part that say what is in it. */
  readonly outline: readonly string[];
  readonly tail: string;
  readonly isCut: boolean;
}

const cut = /^\[… \d+ characters of \d+ lines left out …\]$/m;
const outlineMark = "\n[outline of the rest]\n";
const tailMark = "\n[end of the file]\n";

/** Takes an excerpt apart. The marks are the device's words, not the file's. */
export function partsOf(text: string): ExcerptParts {
  const mark = cut.exec(text);
  if (!mark) return { head: text, outline: [], tail: "", isCut: false };
  const head = text.slice(0, mark.index);
  const rest = text.slice(mark.index + mark[0].length);
  const [before = "", tail = ""] = splitAt(rest, rest.lastIndexOf(tailMark), tailMark);
  const [, outline = ""] = splitAt(before, before.indexOf(outlineMark), outlineMark);
  const entries = outline.split("\n").flatMap((line) => /^\d+: (.+)$/.exec(line)?.[1] ?? []);
  return { head, outline: entries, tail, isCut: true };
}

function splitAt(text: string, at: number, mark: string): [string, string] {
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + mark.length)];
}
