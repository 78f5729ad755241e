import { manifestName, manifestText, shortened } from "./escape.ts";
import type { ManifestFile } from "./manifest-file.ts";

/** Characters of a summary in a manifest that has no room for all of them. */
export const shortSummaryCharacters = 120;
/** Characters of a project's or folder's name that are shown. */
const nameCharacters = 40;

/** `text/code stale: The entry point`: what is said of a file behind its name. */
export function factsOf({ kind, tag, state, summary }: ManifestFile, summaryCharacters: number): string {
  const type = tag === null ? kind : `${kind}/${tag}`;
  const mark = state === "current" ? "" : ` ${state}`;
  const words = summary === null ? "" : manifestText(shortened(summary.trim(), summaryCharacters));
  return words === "" ? `${type}${mark}` : `${type}${mark}: ${words}`;
}

/** A name of the person's own, quoted and cut. */
export const shownName = (name: string): string => manifestName(shortened(name, nameCharacters));
