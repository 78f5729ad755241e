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
export function changesOfLines(changes: readonly LineChange[], lineOf: readonly number[], lines: number): LineChange[] {
  const isWithinLine = (at: number) => at > 0 && at < lineOf.length && lineOf[at] === lineOf[at - 1];
  const whole: LineChange[] = [];
  for (const { oldStart, oldEnd, newStart, newEnd } of changes) {
    let [before, behind] = [0, 0];
    while (isWithinLine(oldStart - before)) before++;
    while (isWithinLine(oldEnd + behind)) behind++;
    const [start, end] = [oldStart - before, oldEnd + behind];
    const last = whole.at(-1);
    if (last !== undefined && start < last.oldEnd) {
      whole.splice(-1, 1, { ...last, oldEnd: end, newEnd: newEnd + behind });
    } else whole.push({ oldStart: start, oldEnd: end, newStart: newStart - before, newEnd: newEnd + behind });
  }
  const lineAt = (at: number) => lineOf[at] ?? lines;
  return whole.map((change) => ({ ...change, oldStart: lineAt(change.oldStart), oldEnd: lineAt(change.oldEnd) }));
}
