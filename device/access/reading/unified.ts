import { splitLines } from "../edits/lines/document.ts";
import { type LineChange, lineChanges } from "../edits/lines/line-diff.ts";

export interface UnifiedOptions {
  readonly contextLines?: number;
  readonly isOverdue?: () => boolean;
}

const marker = "\\ No newline at end of file";

/**
 * A unified diff of two texts (null: no such file), "" when they are equal. Once `isOverdue` says so, what has not been
 * compared is shown as replaced as a whole: longer, still true.
 */
export function unifiedDiff(
  path: string,
  before: string | null,
  after: string | null,
  { contextLines = 3, isOverdue }: UnifiedOptions = {},
): string {
  if (before === after) return "";
  const [old, fresh] = [before, after].map((text) => (text === null ? [] : splitLines(text)));
  if (old === undefined || fresh === undefined) return "";
  const key = ({ text, ending }: { text: string; ending: string }) => text + ending;
  const changes = lineChanges(old.map(key), fresh.map(key), isOverdue === undefined ? {} : { isOverdue });
  const output = [
    before === null ? "--- /dev/null" : `--- a/${path}`,
    after === null ? "+++ /dev/null" : `+++ b/${path}`,
  ];
  const shown = (mark: string, line: { text: string; ending: string } | undefined) => {
    if (line === undefined) return;
    output.push(mark + line.text + (line.ending === "\r\n" ? "\r" : ""));
    if (line.ending === "") output.push(marker);
  };
  for (const group of groupsOf(changes, contextLines)) {
    const [first, last] = [group[0], group.at(-1)];
    if (first === undefined || last === undefined) continue;
    const lead = Math.min(contextLines, first.oldStart);
    const trail = Math.min(contextLines, old.length - last.oldEnd);
    const [oldFrom, newFrom] = [first.oldStart - lead, first.newStart - lead];
    const oldCount = last.oldEnd + trail - oldFrom;
    const newCount = last.newEnd + trail - newFrom;
    output.push(`@@ -${startOf(oldFrom, oldCount)},${oldCount} +${startOf(newFrom, newCount)},${newCount} @@`);
    let at = oldFrom;
    for (const change of group) {
      for (; at < change.oldStart; at++) shown(" ", old[at]);
      for (; at < change.oldEnd; at++) shown("-", old[at]);
      for (let line = change.newStart; line < change.newEnd; line++) shown("+", fresh[line]);
    }
    for (const end = last.oldEnd + trail; at < end; at++) shown(" ", old[at]);
  }
  return `${output.join("\n")}\n`;
}

/** An empty side names the line before it (POSIX diff). */
const startOf = (from: number, count: number) => (count === 0 ? from : from + 1);

/** Changes whose contexts meet share a hunk. */
function groupsOf(changes: readonly LineChange[], contextLines: number): LineChange[][] {
  const groups: LineChange[][] = [];
  for (const change of changes) {
    const previous = groups.at(-1)?.at(-1);
    if (previous !== undefined && change.oldStart - previous.oldEnd <= 2 * contextLines) groups.at(-1)?.push(change);
    else groups.push([change]);
  }
  return groups;
}
