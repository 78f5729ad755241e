import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const words =
  "alpha beta gamma handler request response session index value config buffer stream parse token verdict cursor".split(
    " ",
  );
const extensions = ["ts", "js", "md", "json", "py", "txt"];
const ignoreRules = ["node_modules/", "*.log", "dist/", "/build", "*.tmp", ".env", "coverage", "*.py[cod]", ""];

/** Text that a small share of the files holds; what the searches look for. */
export const literal = "needle_here";
export const regex = "function\\s+\\w+Handler\\(";
export const regexWithoutLiteral = "[A-Z][a-z]{9}\\d";
const shareWithNeedle = 97;

/** A committed repository of `fileCount` source-like files, eleven to a directory, the same for the same seed. */
export function generateTree(root: string, fileCount: number, seed: number): { bytes: number } {
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const pick = (from: readonly string[]): string => from[Math.floor(random() * from.length)] ?? "";
  const directories = [""];
  while (directories.length < fileCount / 11) {
    const parent = pick(directories);
    if (parent.split("/").length > 7) continue;
    const path = join(parent, `${pick(words)}${directories.length}`);
    directories.push(path);
    mkdirSync(join(root, path), { recursive: true });
  }
  const lines = Array.from({ length: 2_000 }, () =>
    Array.from({ length: 4 + Math.floor(random() * 8) }, () => pick(words) + (random() < 0.2 ? "(" : " ")).join(""),
  );
  let bytes = 0;
  for (let index = 0; index < fileCount; index++) {
    const from = Math.floor(random() * lines.length);
    const body = lines.slice(from, from + 10 + Math.floor(random() * random() * 300)).join("\n");
    const extra = index % shareWithNeedle === 0 ? `\nconst ${literal} = 1;\nfunction fooHandler(x) {}\n` : "\n";
    const name = `${words[index % words.length]}${index}.${extensions[index % extensions.length]}`;
    writeFileSync(join(root, pick(directories), name), body + extra);
    bytes += body.length + extra.length;
  }
  writeFileSync(join(root, ".gitignore"), ignoreRules.join("\n"));
  const git = (...args: string[]) => execFileSync("git", ["-C", root, ...args]);
  // Beside the tree, so that nobody searches git's own files.
  git("init", "-q", `--separate-git-dir=${root}.git`);
  // What is larger than the threshold goes into one pack: a file for each blob would take three times as long.
  git("-c", "core.bigFileThreshold=1", "-c", "core.compression=0", "add", "-A");
  git("-c", "user.name=bench", "-c", "user.email=bench@example.invalid", "commit", "-q", "-m", "tree");
  return { bytes };
}
