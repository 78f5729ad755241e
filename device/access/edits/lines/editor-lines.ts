import type { Line } from "./document.ts";
import type { LineChange } from "./line-diff.ts";

/** A file's lines as an editor shows them, which begins a new one at each return within a line as well. */
export interface EditorLines {
  /** With an ending, where a line break follows in the editor. */
  readonly texts: readonly string[];
  /** The line of the file that each is of. */
  readonly lineOf: readonly number[];
}

export function editorLines(lines: readonly Line[]): EditorLines {
  const texts: string[] = [];
  const lineOf: number[] = [];
  for (const [index, { text, ending }] of lines.entries()) {
    for (const piece of `${text}${ending === "" ? "" : "\n"}`.match(/[^\r\n]*[\r\n]|[^\r\n]+/g) ?? []) {
      texts.push(piece.replace("\r", "\n"));
      lineOf.push(index);
    }
  }
  return { texts, lineOf };
}

/** Changes of an editor's lines as changes of whole lines of the file: what is changed within one is all of it changed. */
export function changesOfLines(
  changes: readonly LineChange[],
  lineOf: readonly number[],
  lines: readonly Line[],
): LineChange[] {
  const isWithinLine = (at: number) => at > 0 && at < lineOf.length && lineOf[at] === lineOf[at - 1];
  const last = lines.at(-1);
  // The editor begins a new line behind its return; the file has none there, and what is added goes on with it.
  const isOpen = last?.ending === "" && last.text.endsWith("\r");
  const goesOn = (at: number) => isWithinLine(at) || (isOpen && at === lineOf.length);
  const whole: LineChange[] = [];
  for (const { oldStart, oldEnd, newStart, newEnd } of changes) {
    let [before, behind] = [0, 0];
    while (goesOn(oldStart - before)) before++;
    while (isWithinLine(oldEnd + behind)) behind++;
    const [start, end] = [oldStart - before, oldEnd + behind];
    const above = whole.at(-1);
    if (above !== undefined && start < above.oldEnd) {
      whole.splice(-1, 1, { ...above, oldEnd: end, newEnd: newEnd + behind });
    } else whole.push({ oldStart: start, oldEnd: end, newStart: newStart - before, newEnd: newEnd + behind });
  }
  const lineAt = (at: number) => lineOf[at] ?? lines.length;
  return whole.map((change) => ({ ...change, oldStart: lineAt(change.oldStart), oldEnd: lineAt(change.oldEnd) }));
}
