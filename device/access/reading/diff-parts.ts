import type { LinePart } from "../session/disclosed-lines.ts";

export interface DiffParts {
  /** Lines that were there before the change or still are: what a reader of the diff learns of the file. */
  readonly told: readonly LinePart[];
  readonly added: readonly LinePart[];
}

/** The lines of a unified diff of one file, with where they stand in its two versions. Hashes name the versions. */
export function diffParts(diff: string, before: string, after: string): DiffParts {
  const [told, added]: [LinePart[], LinePart[]] = [[], []];
  let [oldLine, newLine] = [0, 0];
  for (const raw of diff.split("\n")) {
    const header = /^@@ -(\d+),\d+ \+(\d+),\d+ @@/.exec(raw);
    if (header !== null) [oldLine, newLine] = [Number(header[1]), Number(header[2])];
    else if (newLine === 0 && oldLine === 0) continue;
    else if (raw.startsWith("-")) told.push({ hash: before, line: oldLine++, text: raw.slice(1) });
    else if (raw.startsWith("+")) added.push({ hash: after, line: newLine++, text: raw.slice(1) });
    else if (raw.startsWith(" ")) {
      told.push({ hash: after, line: newLine++, text: raw.slice(1) });
      oldLine++;
    }
  }
  return { told, added };
}
