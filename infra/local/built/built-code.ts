import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The checkout's folder, with a slash at its end. */
export const repositoryRoot = fileURLToPath(new URL("../../../", import.meta.url));

/** Where `npm run build` puts the program as plain JavaScript, each entry at the path of its source. */
export const builtFolder = join(repositoryRoot, "dist");

/** Written last by the build, into {@link builtFolder}: what it was made of. */
export const sourceListName = "sources.json";

/** What a build was made of, and when it began to read that. */
export interface SourceList {
  readonly startedAtMs: number;
  /** Paths relative to the checkout, each with its size. */
  readonly files: readonly (readonly [path: string, bytes: number])[];
}

/**
 * Whether what was built is what the sources say. A source that is newer than the build, of another size or gone makes all of it
 * stale: then the sources are run, which takes longer to start and nothing else.
 *
 * @param checkout the folder that holds the sources, and `dist/` with what was built
 */
export function isBuilt(checkout: string): boolean {
  const list = sourceList(join(checkout, "dist", sourceListName));
  return (
    list?.files.every(([file, bytes]) => {
      const found = statSync(join(checkout, file), { throwIfNoEntry: false });
      return found !== undefined && found.size === bytes && found.mtimeMs <= list.startedAtMs;
    }) ?? false
  );
}

/**
 * The file to run for an entry of a home (a function, a thread, `sst.config`): what was built of it, or its source.
 *
 * @param built whether the build is current ({@link isBuilt})
 * @param entry path relative to the checkout, without its ending
 */
export const codeOf = (built: boolean, entry: string): string =>
  built ? join(builtFolder, `${entry}.cjs`) : join(repositoryRoot, `${entry}.ts`);

function sourceList(file: string): SourceList | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    // Nothing was built, or a build was interrupted.
    if (error instanceof SyntaxError || isMissing(error)) return undefined;
    throw error;
  }
}

const isMissing = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ENOENT";
