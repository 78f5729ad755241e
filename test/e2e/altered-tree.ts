import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../infra/local/built/built-code.ts";
import { type Found, findPlaces, type Place } from "./syntax.ts";

/** What is done at a place, in TypeScript. */
type Change =
  /** A statement before the one the place is in. */
  | { readonly before: string }
  /** Another statement than the one the place is in, or none. */
  | { readonly instead: string }
  /** Another property than the one that is there. */
  | { readonly property: string; readonly written: string }
  /** One more property of the same object. */
  | { readonly property: string; readonly beside: string };

/** A change to a source file. */
export type Alteration = { readonly file: string } & ((Place & Change) | { readonly imports: string });

const folders = ["events", "functions", "infra", "shared"];

/**
 * Copies the product's sources into a folder and alters them there. The copy's `sst.config.ts` describes a system that
 * is this repository's but for the alterations.
 *
 * @returns the path of that `sst.config.ts`
 * @throws when an alteration does not fit the sources any more
 */
export function alteredTree(folder: string, alterations: readonly Alteration[]): string {
  for (const name of folders) {
    const local = join(repositoryRoot, "infra", "local");
    cpSync(join(repositoryRoot, name), join(folder, name), { recursive: true, filter: (path) => path !== local });
  }
  for (const name of ["sst.config.ts", "package.json"]) cpSync(join(repositoryRoot, name), join(folder, name));
  symlinkSync(join(repositoryRoot, "node_modules"), join(folder, "node_modules"));
  const edits = editsOf(folder, alterations);
  for (const file of new Set(edits.map((edit) => edit.file))) {
    const path = join(folder, file);
    const ofFile = edits.filter((edit) => edit.file === file).sort((a, b) => b.start - a.start);
    const text = ofFile.reduce(
      (so, { start, end, written }) => so.slice(0, start) + written + so.slice(end),
      readFileSync(path, "utf8"),
    );
    writeFileSync(path, text);
  }
  return join(folder, "sst.config.ts");
}

interface Edit {
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly written: string;
}

function editsOf(folder: string, alterations: readonly Alteration[]): Edit[] {
  const placed = alterations.flatMap((alteration) => ("imports" in alteration ? [] : [alteration]));
  const imports = alterations.flatMap((alteration) =>
    "imports" in alteration ? [{ file: alteration.file, start: 0, end: 0, written: `${alteration.imports}\n` }] : [],
  );
  const found = findPlaces(folder, placed);
  const edits = placed.flatMap((alteration, index) => {
    const at = found[index];
    return at === undefined ? [] : [{ file: alteration.file, ...editAt(at, alteration) }];
  });
  return [...edits, ...imports];
}

function editAt({ node, statement }: Found, change: Change): Omit<Edit, "file"> {
  if ("before" in change) return { start: statement.start, end: statement.start, written: `${change.before}\n` };
  if ("instead" in change) return { ...statement, written: change.instead };
  if ("written" in change) return { ...node, written: `${change.property}: ${change.written}` };
  return { start: node.end, end: node.end, written: `, ${change.beside}` };
}
