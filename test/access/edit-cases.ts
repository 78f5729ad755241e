import fc from "fast-check";

export type Ending = "\n" | "\r\n" | "\r" | "";
export type FileEncoding = "utf-8" | "utf-8-bom" | "utf-16le" | "utf-16be" | "latin1" | "mixed";
export type Format = "unified" | "bare" | "v4a" | "search_replace";

interface CaseLine {
  readonly text: string;
  readonly ending: Ending;
}

/** One change: `remove` lines from `at` on give way to `add`. */
interface Change {
  readonly at: number;
  readonly remove: number;
  readonly add: readonly string[];
}

/** A file, what is done to it, and the same as a patch. */
export interface EditCase {
  readonly encoding: FileEncoding;
  readonly lines: readonly CaseLine[];
  readonly changes: readonly Change[];
  readonly format: Format;
  readonly context: number;
  readonly mode: number;
}

const boms: Record<FileEncoding, readonly number[]> = {
  "utf-8": [],
  "utf-8-bom": [0xef, 0xbb, 0xbf],
  "utf-16le": [0xff, 0xfe],
  "utf-16be": [0xfe, 0xff],
  latin1: [],
  mixed: [],
};

/** Encodes by the tables of the encodings, not by the code under test. */
export function encoded(text: string, encoding: FileEncoding): Buffer {
  if (encoding === "utf-8" || encoding === "utf-8-bom") return Buffer.from(text, "utf8");
  if (encoding === "latin1" || encoding === "mixed") return Buffer.from(text, "latin1");
  const little = Buffer.from(text, "utf16le");
  return encoding === "utf-16le" ? little : little.swap16();
}

export function bytesOf({ encoding, lines }: Pick<EditCase, "encoding" | "lines">): Buffer {
  const bom = Buffer.from(boms[encoding]);
  return Buffer.concat([bom, ...lines.map(({ text, ending }) => encoded(text + ending, encoding))]);
}

const bodies: Record<FileEncoding, Iterable<string>> = {
  "utf-8": "ab {}();=\t\u00e9\u4e2d\ud83d\ude00",
  "utf-8-bom": "ab {}();=\t\u00e9\u4e2d",
  "utf-16le": "ab {}();=\t\u00e9\u4e2d\u0a0d\ud83d\ude00",
  "utf-16be": "ab {}();=\t\u00e9\u4e2d\u0a0d",
  // In words: which charset a text is in is told by what its letters stand among.
  latin1: [..."ab {}();=\t", "caf\u00e9", "f\u00fcr"],
  mixed: "ab {}();=\t",
};
/** Not UTF-8, and UTF-8, as Latin-1 sees them: makes a file certainly of its kind. */
const marks: Partial<Record<FileEncoding, string>> = { latin1: "Gr\u00fc\u00dfe", mixed: "\u00c3\u00a9\u00ff" };

const endingsOf: Record<string, readonly [Ending, ...Ending[]]> = {
  lf: ["\n"],
  crlf: ["\r\n"],
  cr: ["\r"],
  mixed: ["\n", "\r\n"],
};
const endings = (style: string) => fc.constantFrom<Ending>(...(endingsOf[style] ?? ["\n"]));

/** Lines carry their number, so that every place is the only one of its kind. */
export const editCases: fc.Arbitrary<EditCase> = fc
  .record({
    encoding: fc.constantFrom<FileEncoding>("utf-8", "utf-8-bom", "utf-16le", "utf-16be", "latin1", "mixed"),
    style: fc.constantFrom("lf", "crlf", "cr", "mixed"),
    count: fc.integer({ min: 1, max: 24 }),
    endsInNewline: fc.boolean(),
    format: fc.constantFrom<Format>("unified", "bare", "v4a", "search_replace"),
    context: fc.integer({ min: 1, max: 3 }),
    mode: fc.constantFrom(0o644, 0o600, 0o755, 0o640),
  })
  .chain((shape) => {
    const alphabet = fc.constantFrom(...bodies[shape.encoding]);
    const body = fc.array(alphabet, { maxLength: 12 }).map((units) => units.join(""));
    return fc.record({
      shape: fc.constant(shape),
      texts: fc.array(fc.tuple(body, endings(shape.style)), { minLength: shape.count, maxLength: shape.count }),
      changes: fc.array(
        fc.record({
          at: fc.nat({ max: shape.count - 1 }),
          remove: fc.integer({ min: 0, max: 3 }),
          add: fc.array(body, { maxLength: 3 }),
        }),
        { minLength: 1, maxLength: 3 },
      ),
    });
  })
  .map(({ shape, texts, changes }): EditCase => {
    const mark = marks[shape.encoding] ?? "";
    const lines = texts.map(([text, ending], index) => ({
      text: `${index}:${index === 0 ? mark : ""}${text}`,
      ending: index === texts.length - 1 && !shape.endsInNewline ? ("" as const) : ending,
    }));
    const { encoding, format, context, mode } = shape;
    return { encoding, lines, changes: disjoint(changes, lines.length), format, context, mode };
  })
  .filter(({ changes }) => changes.length > 0);

/** In order, apart from each other by at least one line, within the file, each changing something. */
function disjoint(changes: readonly Change[], count: number): Change[] {
  const result: Change[] = [];
  let from = 0;
  for (const { at, remove, add } of changes.toSorted((a, b) => a.at - b.at)) {
    const removed = Math.min(remove, count - at);
    if (at < from || (removed === 0 && add.length === 0)) continue;
    result.push({ at, remove: removed, add: add.map((text, index) => `+${at}.${index}:${text}`) });
    from = at + removed + 1;
  }
  return result;
}

interface Hunk {
  start: number;
  old: number;
  added: number;
  body: string[];
}

/** One hunk for each change, with `context` lines around it that no other change touches. */
function hunksOf({ lines, changes, context }: EditCase): Hunk[] {
  return changes.map(({ at, remove, add }, index) => {
    const previous = changes[index - 1];
    const next = changes[index + 1];
    const floor = previous === undefined ? 0 : previous.at + previous.remove;
    // The line between two changes belongs to the first one's hunk only.
    const before = Math.max(previous === undefined ? 0 : Math.min(at, floor + 1), at - context, 0);
    const end = at + remove;
    const after = Math.min(lines.length, end + context, next === undefined ? lines.length : Math.min(next.at, end + 1));
    const text = (from: number, to: number) => lines.slice(from, to).map((line) => line.text);
    return {
      start: before,
      old: after - before,
      added: add.length - remove,
      body: [
        ...text(before, at).map((line) => ` ${line}`),
        ...text(at, end).map((line) => `-${line}`),
        ...add.map((line) => `+${line}`),
        ...text(end, after).map((line) => ` ${line}`),
      ],
    };
  });
}

export function patchOf(edit: EditCase, path: string): string {
  const hunks = hunksOf(edit);
  if (edit.format === "v4a") {
    const body = hunks.flatMap((hunk) => ["@@", ...hunk.body]);
    return `${["*** Begin Patch", `*** Update File: ${path}`, ...body, "*** End Patch"].join("\n")}\n`;
  }
  if (edit.format === "search_replace") {
    const side = (hunk: Hunk, mark: string) =>
      hunk.body.filter((line) => line[0] !== mark).map((line) => line.slice(1));
    const blocks = hunks.flatMap((hunk) => [
      "<<<<<<< SEARCH",
      ...side(hunk, "+"),
      "=======",
      ...side(hunk, "-"),
      ">>>>>>> REPLACE",
    ]);
    return `${[path, ...blocks].join("\n")}\n`;
  }
  const lines = [`--- a/${path}`, `+++ b/${path}`];
  let shift = 0;
  for (const { start, old, added, body } of hunks) {
    const stated = edit.format === "unified";
    lines.push(stated ? `@@ -${start + 1},${old} +${start + 1 + shift},${old + added} @@` : "@@");
    shift += added;
    lines.push(...(stated ? withMarkers(edit, start, body) : body));
  }
  return `${lines.join("\n")}\n`;
}

/** As git writes the last line of a file that ends without a newline: on the side, or sides, where it does. */
function withMarkers({ lines }: EditCase, start: number, body: readonly string[]): string[] {
  const marker = "\\ No newline at end of file";
  if (lines.at(-1)?.ending !== "") return [...body];
  const result: string[] = [];
  const lastNew = body.findLastIndex((line) => line[0] !== "-");
  const touchesEnd = start + body.filter((line) => line[0] !== "+").length === lines.length;
  let old = start;
  for (const [index, line] of body.entries()) {
    const isLastOld = line[0] !== "+" && ++old === lines.length;
    const isLastNew = touchesEnd && index === lastNew;
    // A last line that gets lines behind it gets a newline as well: for git it is replaced.
    if (line[0] === " " && isLastOld && !isLastNew) result.push(`-${line.slice(1)}`, marker, `+${line.slice(1)}`);
    else {
      result.push(line);
      if (line[0] === "+" ? isLastNew : isLastOld) result.push(marker);
    }
  }
  return result;
}

/** Why `after` is not what the edit should have made of the file; undefined when it is. Knows nothing of patches. */
export function complaint(edit: EditCase, before: Buffer, after: Buffer): string | undefined {
  const { encoding, lines, changes } = edit;
  let at = boms[encoding].length;
  if (!after.subarray(0, at).equals(before.subarray(0, at))) return "the byte order mark changed";
  const known = new Set(lines.map(({ ending }) => ending).filter((ending) => ending !== ""));
  if (known.size === 0) known.add("\n");
  let line = 0;
  const take = (text: string, allowed: readonly string[]) => {
    for (const ending of allowed) {
      const expected = encoded(text + ending, encoding);
      if (after.subarray(at, at + expected.length).equals(expected)) {
        at += expected.length;
        return ending;
      }
    }
    return undefined;
  };
  const newlines = [...known].sort((a, b) => b.length - a.length);
  const keepUntil = (end: number, moreFollows: boolean): string | undefined => {
    for (; line < end; line++) {
      const { text, ending } = lines[line] ?? { text: "", ending: "" as const };
      const mustGetNewline = ending === "" && moreFollows && line === end - 1;
      if (take(text, mustGetNewline ? newlines : [ending]) === undefined) return `line ${line} changed`;
    }
    return undefined;
  };
  for (const { at: start, remove, add } of changes) {
    const kept = keepUntil(start, add.length > 0);
    if (kept !== undefined) return kept;
    line += remove;
    for (const [index, text] of add.entries()) {
      const isLast = line === lines.length && index === add.length - 1;
      const allowed = isLast && lines.at(-1)?.ending === "" ? [""] : newlines;
      if (take(text, allowed) === undefined) return `new line ${JSON.stringify(text)} is not as it should be`;
    }
  }
  return keepUntil(lines.length, false) ?? (at === after.length ? undefined : "bytes too many at the end");
}
