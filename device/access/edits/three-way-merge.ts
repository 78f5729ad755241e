import { applyLineEdits, parseDocument, splitLines, type TextDocument } from "./lines/document.ts";
import { type LineChange, lineChanges } from "./lines/line-diff.ts";

/** A place where both sides changed the base, as lines of each text. 0-based, half open. */
export interface MergeConflict {
  readonly base: readonly [number, number];
  readonly ours: readonly [number, number];
  readonly theirs: readonly [number, number];
}

export type MergeResult =
  | { readonly clean: true; readonly bytes: Uint8Array }
  | { readonly clean: false; readonly conflicts: readonly MergeConflict[] };

/** Overlapping changes of both sides, grown until no further change touches them. */
interface Region {
  base: [number, number];
  ours: [number, number];
  theirs: [number, number];
  from: Set<"ours" | "theirs">;
}

/**
 * Merges two texts that came from one base, line by line with their endings, as `git merge-file` does: changes that do
 * not touch are both taken, the same change is taken once, everything else is a conflict and nothing is merged.
 *
 * @throws AccessError `binary_file`
 */
export function mergeThreeWay(base: Uint8Array, ours: Uint8Array, theirs: Uint8Array): MergeResult {
  const same = (a: Uint8Array, other: Uint8Array) => Buffer.compare(a, other) === 0;
  if (same(base, ours) || same(ours, theirs)) return { clean: true, bytes: theirs };
  if (same(base, theirs)) return { clean: true, bytes: ours };
  const [b, o, t] = [parseDocument(base), parseDocument(ours), parseDocument(theirs)];
  if (
    new Set([b.encoding, o.encoding, t.encoding]).size > 1 ||
    new Set([b.bomBytes, o.bomBytes, t.bomBytes]).size > 1
  ) {
    return { clean: false, conflicts: [whole(b, o, t)] };
  }
  const [baseLines, ourLines, theirLines] = [b, o, t].map(keysOf);
  if (baseLines === undefined || ourLines === undefined || theirLines === undefined) throw new TypeError("three texts");
  const regions = regionsOf(lineChanges(baseLines, ourLines), lineChanges(baseLines, theirLines));
  const conflicts = regions.filter(
    ({ from, ours: [start, end], theirs: [theirStart, theirEnd] }) =>
      from.size === 2 && !sameLines(ourLines.slice(start, end), theirLines.slice(theirStart, theirEnd)),
  );
  if (conflicts.length > 0) return { clean: false, conflicts };
  const edits = regions
    .filter(({ from }) => !from.has("ours"))
    .map(({ ours: [start, end], theirs: [theirStart, theirEnd] }) => ({
      start,
      end,
      lines: t.lines.slice(theirStart, theirEnd).map(({ text, ending }) => ({ text, ending })),
    }));
  return { clean: true, bytes: applyLineEdits(o, edits) };
}

/** What became of neighbouring lines of a text that two have changed. `from`: who did; both with the same words count once. */
export interface MergedPart {
  readonly from: "nobody" | "mine" | "theirs" | "same" | "conflict";
  /** With their line ends; of what was not changed all three are the same. */
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
}

/** All of three texts as parts that follow each other: each text is its parts joined. */
export function mergedParts(base: string, mine: string, theirs: string): MergedPart[] {
  const [b, m, t] = [base, mine, theirs].map((text) => splitLines(text).map((line) => line.text + line.ending));
  if (b === undefined || m === undefined || t === undefined) throw new TypeError("three texts");
  const parts: MergedPart[] = [];
  const same = (from: number, to: number) => {
    const text = b.slice(from, to).join("");
    if (text !== "") parts.push({ from: "nobody", base: text, mine: text, theirs: text });
  };
  let at = 0;
  for (const region of regionsOf(lineChanges(b, m), lineChanges(b, t))) {
    same(at, region.base[0]);
    const part = {
      base: b.slice(...region.base).join(""),
      mine: m.slice(...region.ours).join(""),
      theirs: t.slice(...region.theirs).join(""),
    };
    const by = region.from.size === 1 ? (region.from.has("ours") ? "mine" : "theirs") : "conflict";
    parts.push({ from: by === "conflict" && part.mine === part.theirs ? "same" : by, ...part });
    at = region.base[1];
  }
  same(at, b.length);
  return parts;
}

const keysOf = ({ lines }: TextDocument) => lines.map(({ text, ending }) => text + ending);
const sameLines = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((line, index) => line === b[index]);
const whole = (b: TextDocument, o: TextDocument, t: TextDocument): MergeConflict => ({
  base: [0, b.lines.length],
  ours: [0, o.lines.length],
  theirs: [0, t.lines.length],
});

/** Changes of either side in order of the base; those that overlap or touch become one region. */
function regionsOf(ours: readonly LineChange[], theirs: readonly LineChange[]): Region[] {
  const regions: Region[] = [];
  let [o, t] = [0, 0];
  while (o < ours.length || t < theirs.length) {
    const [nextOurs, nextTheirs] = [ours[o], theirs[t]];
    const takesOurs = nextTheirs === undefined || (nextOurs !== undefined && nextOurs.oldStart <= nextTheirs.oldStart);
    const change = takesOurs ? nextOurs : nextTheirs;
    if (change === undefined) break;
    const side = takesOurs ? "ours" : "theirs";
    if (takesOurs) o++;
    else t++;
    const last = regions.at(-1);
    const touches =
      last !== undefined && change.oldStart <= last.base[1] && !(last.from.size === 1 && last.from.has(side));
    if (touches) last.base[1] = Math.max(last.base[1], change.oldEnd);
    else {
      regions.push({ base: [change.oldStart, change.oldEnd], ours: [0, 0], theirs: [0, 0], from: new Set() });
    }
    regions.at(-1)?.from.add(side);
  }
  for (const region of regions) {
    region.ours = [toSide(ours, region.base[0], "start"), toSide(ours, region.base[1], "end")];
    region.theirs = [toSide(theirs, region.base[0], "start"), toSide(theirs, region.base[1], "end")];
  }
  return regions;
}

/** Where a line of the base is on a side. At an insertion, `start` is before what was put in and `end` behind it. */
function toSide(changes: readonly LineChange[], line: number, edge: "start" | "end"): number {
  let shift = 0;
  for (const { oldStart, oldEnd, newStart, newEnd } of changes) {
    const isBefore = edge === "start" ? oldEnd < line || (oldEnd === line && oldStart < line) : oldEnd <= line;
    if (!isBefore) break;
    shift = newEnd - newStart - (oldEnd - oldStart) + shift;
  }
  return line + shift;
}
