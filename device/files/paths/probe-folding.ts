import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { NameFolding } from "./containment.ts";

/** Asks the disk itself: does an entry answer to another spelling of its name? */
export function probeFolding(root: string): NameFolding {
  const names = readdirSync(root);
  const foldsCase = answersTo(root, names, (name) => {
    const upper = name.toUpperCase();
    return upper === name ? name.toLowerCase() : upper;
  });
  const foldsUnicode = answersTo(root, names, (name) => {
    const composed = name.normalize("NFC");
    return composed === name ? name.normalize("NFD") : composed;
  });
  const usual = process.platform === "darwin" || process.platform === "win32";
  return { foldsCase: foldsCase ?? usual, foldsUnicode: foldsUnicode ?? process.platform === "darwin" };
}

/** Undefined when no name has another spelling. */
function answersTo(root: string, names: readonly string[], respell: (name: string) => string): boolean | undefined {
  const name = names.find((candidate) => respell(candidate) !== candidate && !names.includes(respell(candidate)));
  if (name === undefined) return undefined;
  const own = lstatSync(join(root, name), { throwIfNoEntry: false });
  const other = lstatSync(join(root, respell(name)), { throwIfNoEntry: false });
  return own !== undefined && other !== undefined && own.ino === other.ino && own.dev === other.dev;
}
