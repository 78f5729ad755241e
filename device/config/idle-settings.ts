import { isProjectFilesError } from "../files/errors.ts";
import { expandBraces } from "../files/paths/path-filter.ts";
import { compileGlob, toByteString } from "../files/paths/wildmatch.ts";
import type { ProjectPlace } from "./config-schema.ts";

/** A setting that can be read, and does what nobody means by it. */
export interface IdleSetting {
  /** With dots, as it is set: `read.deny`. */
  readonly name: string;
  /** A clause about the value: `'[' names no file: …`. */
  readonly why: string;
}

/** What in one place of settings protects nothing, or stops everything. */
export function idleSettings({ read, write, ignore, sensitivity, limits }: ProjectPlace): IdleSetting[] {
  const lists = [
    ...Object.entries(read).map(([key, globs]) => [`read.${key}`, globs] as const),
    ...Object.entries(write).map(([key, globs]) => [`write.${key}`, globs] as const),
    ["ignore", ignore] as const,
    ...Object.entries(sensitivity).map(([key, globs]) => [`sensitivity.${key}`, globs] as const),
  ];
  const patterns = lists.flatMap(([name, globs]) =>
    globs.flatMap((glob) => {
      const why = whyNothing(glob);
      return why === undefined ? [] : [{ name, why: `'${glob}' names no file: ${why}` }];
    }),
  );
  // Where a spent limit is asked about, none at all is to be asked each time.
  const spent = limits.whenSpent === "ask" ? [] : (["calls", "bytesRead", "tokensRead"] as const);
  const stopping = spent
    .filter((name) => limits[name] === 0)
    .map((name) => ({ name: `limits.${name}`, why: "0 stops every read; to keep files closed say read.deny '**'" }));
  return [...patterns, ...stopping];
}

/** Why a pattern can name no file of any project; undefined when it may. */
function whyNothing(glob: string): string | undefined {
  try {
    return expandBraces(glob.replace(/^!/, ""))
      .map(whyNothingOf)
      .find((why) => why !== undefined);
  } catch (error) {
    if (isProjectFilesError(error, "PatternRefused")) return "it has too many alternatives in braces";
    throw error;
  }
}

function whyNothingOf(pattern: string): string | undefined {
  const plain = pattern.trimEnd().replace(/^\//, "").replace(/\/$/, "");
  if (plain === "") return "it is empty";
  if (plain.split("/").some((segment) => segment === ".." || segment === ".")) {
    return "a path in a project has no '.' and no '..' in it";
  }
  if (compileGlob(toByteString(plain), false) === undefined)
    return "a bracket in it is not closed, or a backslash ends it";
  return undefined;
}
