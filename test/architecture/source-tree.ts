import { globSync, readFileSync } from "node:fs";
import path from "node:path";

export const root = path.resolve(import.meta.dirname, "../..");

/** The folders that hold code of the product; `test` imports from all of them and none imports from it. */
export const codeFolders = ["events", "functions", "shared", "infra", "device", "cli"] as const;

export interface Import {
  /** Path of a file of the project, or the package specifier as it is written. */
  readonly target: string;
  readonly kind: "static" | "type" | "dynamic";
}

export interface SourceFile {
  /** Relative to the project, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
}

/**
 * The imports of one file. The formatter puts every import and re-export at the start of a line, so a pattern finds
 * them all (source-tree.test.ts compares it with a bundler's parser); imports in template texts are indented.
 */
export function importsOf(file: string, text: string): Import[] {
  const found: Import[] = [];
  const add = (specifier: string | undefined, kind: Import["kind"]) => {
    if (specifier === undefined) return;
    const local = specifier.startsWith(".") ? path.posix.join(path.posix.dirname(file), specifier) : specifier;
    found.push({ target: local, kind });
  };
  for (const match of text.matchAll(/^(?:import|export)\s(type\s)?[^;"']*?\sfrom\s"([^"]+)"/gm)) {
    add(match[2], match[1] ? "type" : "static");
  }
  for (const match of text.matchAll(/^import\s"([^"]+)"/gm)) add(match[1], "static");
  for (const match of text.matchAll(/\bimport\("([^"]+)"\)/g)) add(match[1], "dynamic");
  return found;
}

/** Every TypeScript file, with and without markup, below the folders, read once. */
export function sourceFiles(folders: readonly string[]): SourceFile[] {
  return folders
    .flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root }))
    .map((file) => file.split(path.sep).join("/"))
    .sort()
    .map((file) => {
      const text = readFileSync(path.join(root, file), "utf8");
      return { path: file, text, imports: importsOf(file, text) };
    });
}

export const code: readonly SourceFile[] = sourceFiles(codeFolders);
