/** Punctuation that models and word processors swap for ASCII, and back. */
const likenesses: readonly [RegExp, string][] = [
  [/[\u2010-\u2015\u2212]/g, "-"],
  [/[\u2018-\u201b]/g, "'"],
  [/[\u201c-\u201f]/g, '"'],
  [/\u2026/g, "..."],
];

/** Zs of Unicode and tabs. */
const space = /[\t\u0020\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+/g;
const leading = /^[\t\u0020\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]*/;

/** The white space a line begins with. */
export function indentOf(line: string): string {
  return leading.exec(line)?.[0] ?? "";
}

/** A line without what two spellings of it may differ in: white space and typographic punctuation. Case counts. */
export function normalised(line: string): string {
  let text = line.normalize("NFC");
  for (const [pattern, plain] of likenesses) text = text.replace(pattern, plain);
  return text.replace(space, " ").trim();
}

/** How indentation of a patch maps to the file's, read off the lines both have. */
export interface Reindent {
  /** The patch's line as the file would indent it; undefined when the lines seen do not say. */
  apply(line: string): string | undefined;
}

/**
 * One mapping that turns the indentation of every line in `pairs` (patch, file) into the file's: the same, a constant
 * prefix more or less, or level by level (tabs for spaces). Undefined when the lines are not indented alike: then this is
 * another block with the same words.
 */
export function reindentFrom(pairs: readonly (readonly [patch: string, file: string])[]): Reindent | undefined {
  const levels = new Map<string, string>();
  for (const [patch, file] of pairs) {
    if (patch.trim() === "") continue;
    const [from, to] = [indentOf(patch), indentOf(file)];
    if ((levels.get(from) ?? to) !== to) return undefined;
    levels.set(from, to);
  }
  const seen = [...levels];
  if (new Set(levels.values()).size !== levels.size) return undefined;
  const isDeeper = (a: string, b: string) => a.length > b.length && a.startsWith(b);
  const ordered = seen.every(([from, to]) =>
    seen.every(([otherFrom, otherTo]) => !isDeeper(from, otherFrom) || isDeeper(to, otherTo)),
  );
  if (!ordered) return undefined;
  const added = constant(
    seen.map(([from, to]) => (to.endsWith(from) ? to.slice(0, to.length - from.length) : undefined)),
  );
  const removed = constant(
    seen.map(([from, to]) => (from.endsWith(to) ? from.slice(0, from.length - to.length) : undefined)),
  );
  return {
    apply(line) {
      if (line.trim() === "") return line;
      const indent = indentOf(line);
      const known = levels.get(indent);
      if (known !== undefined) return known + line.slice(indent.length);
      if (added !== undefined) return added + line;
      return removed !== undefined && line.startsWith(removed) ? line.slice(removed.length) : undefined;
    },
  };
}

function constant(values: readonly (string | undefined)[]): string | undefined {
  const [first] = values;
  return values.every((value) => value === first) ? first : undefined;
}
