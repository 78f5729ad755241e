import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FsProjectFiles } from "../../device/files/backends/fs/fs-project-files.ts";
import { caseSeed, rounds } from "../rounds.ts";
import { type IgnoreTree, ignoreTrees } from "./ignore-tree.ts";

const hasGit = spawnSync("git", ["--version"]).status === 0;
if (!hasGit) console.log("skipped: git is not installed, so ignore rules are not compared with it");
const treeCount = rounds(2_000);
/** Nothing of the machine's own configuration counts. */
const plainGit = ["-c", "core.excludesFile=/dev/null", "-c", "core.quotePath=false"];

describe.skipIf(!hasGit)("ignore rules beside git itself", () => {
  it(`walk gives what git check-ignore does not ignore, on ${treeCount} generated trees`, {
    timeout: 240_000,
  }, async () => {
    const root = mkdtempSync(join(tmpdir(), "files-ignore-"));
    try {
      execFileSync("git", ["init", "-q", root]);
      const trees = fc.sample(ignoreTrees, { numRuns: treeCount, seed: caseSeed });
      const files = trees.flatMap((tree, index) => writeTree(root, `t${index}`, tree));
      const ignored = new Set(checkIgnore(root, files));
      const expected = files.filter((path) => !ignored.has(path)).sort();
      const walked: string[] = [];
      for await (const { path } of new FsProjectFiles(root).walk()) walked.push(path);
      const differing = symmetricDifference(walked.sort(), expected);
      const first = differing[0] === undefined ? undefined : trees[Number(/^t(\d+)/.exec(differing[0])?.[1])];
      expect({ caseSeed, differing: differing.slice(0, 5), first }).toEqual({
        caseSeed,
        differing: [],
        first: undefined,
      });
      expect(ignored.size).toBeGreaterThan(treeCount / 4);
      expect(expected.length).toBeGreaterThan(treeCount);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });
});

function writeTree(root: string, name: string, tree: IgnoreTree): string[] {
  const rules = Object.entries(tree.rules).map(([directory, text]) => [`${directory}.gitignore`, text] as const);
  const all = [...rules, ...tree.files.map((path) => [path, ""] as const)];
  const paths: string[] = [];
  for (const [path, text] of all) {
    const absolute = join(root, name, path);
    mkdirSync(dirname(absolute), { recursive: true });
    writeFileSync(absolute, text);
    paths.push(`${name}/${path}`);
  }
  return paths;
}

function checkIgnore(root: string, paths: readonly string[]): string[] {
  const asked = spawnSync("git", [...plainGit, "-C", root, "check-ignore", "--no-index", "-z", "--stdin"], {
    input: paths.join("\0"),
    maxBuffer: 2 ** 28,
  });
  if (asked.status !== 0 && asked.status !== 1) throw new Error(asked.stderr.toString());
  return asked.stdout.toString().split("\0").filter(Boolean);
}

function symmetricDifference(a: readonly string[], b: readonly string[]): string[] {
  const [inA, inB] = [new Set(a), new Set(b)];
  return [...a.filter((path) => !inB.has(path)), ...b.filter((path) => !inA.has(path))];
}
