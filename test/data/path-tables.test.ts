import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FsProjectFiles } from "../../device/files/backends/fs/fs-project-files.ts";
import { InMemoryProjectFiles } from "../../device/files/backends/in-memory-project-files.ts";
import { isProjectFilesError } from "../../device/files/errors.ts";
import { relativeInside } from "../../device/files/paths/containment.ts";
import { canonicalPath } from "../../device/files/paths/project-path.ts";
import { compileGlob, matchesGlob, toByteString } from "../../device/files/paths/wildmatch.ts";
import type { ProjectFiles } from "../../device/files/project-files.ts";
import { IgnoreRules } from "../../device/files/walk/ignore-rules.ts";
import { IgnoreStack } from "../../device/files/walk/ignore-stack.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { dataFolder, hasData } from "./published.ts";

const file = (name: string) => readFileSync(new URL(name, dataFolder), "utf8");
const jsonLines = (name: string) =>
  file(name)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

/** Whether a path is ignored by one file of rules at the root, parents included, as `git check-ignore` answers. */
function ignoresPath(rules: IgnoreRules, path: string, isDirectory: boolean): boolean {
  const stack = new IgnoreStack(rules, "", undefined);
  const segments = path.split("/");
  for (let depth = 1; depth <= segments.length; depth++) {
    const isLast = depth === segments.length;
    if (stack.ignores(segments.slice(0, depth).join("/"), segments[depth - 1] ?? "", isLast ? isDirectory : true)) {
      return true;
    }
  }
  return false;
}

describe.skipIf(!hasData)("published tables", () => {
  it("ignore rules give git's answer on every case that has one", () => {
    const wrong: unknown[] = [];
    for (const { id, patterns, paths } of jsonLines("ignore/gitignore_cases.jsonl")) {
      const rules = IgnoreRules.parse(Buffer.from(patterns.join("\n")), false);
      for (const { path, dir, git_ignored } of paths) {
        if (git_ignored === null) continue;
        if (ignoresPath(rules, path.replace(/\/$/, ""), dir) !== git_ignored) wrong.push([id, path, git_ignored]);
      }
    }
    expect(wrong).toEqual([]);
  });

  it("ignore rules give git's answer on another library's cases", () => {
    const wrong: unknown[] = [];
    for (const { gitignore, git } of JSON.parse(file("ignore/node-ignore/cases.json"))) {
      const rules = IgnoreRules.parse(Buffer.from(gitignore), false);
      for (const [path, expected] of Object.entries(git ?? {})) {
        // Asked for "c/", git compares `c/*` with an empty name. It does so for no path it walks.
        if (path.endsWith("/") && gitignore.includes(`${path}*`)) continue;
        if (ignoresPath(rules, path.replace(/\/$/, ""), path.endsWith("/")) !== expected) wrong.push([gitignore, path]);
      }
    }
    expect(wrong).toEqual([]);
  });

  it("globs match as wildmatch.c does with WM_PATHNAME", () => {
    const wrong = jsonLines("ignore/wildmatch.jsonl").filter(({ text, pattern, glob, iglob }) => {
      const answers = [false, true].map((foldCase) => {
        const compiled = compileGlob(toByteString(pattern), foldCase);
        return compiled !== undefined && matchesGlob(compiled, toByteString(text));
      });
      return answers[0] !== glob || answers[1] !== iglob;
    });
    expect(wrong).toEqual([]);
  });

  it("another server's containment rows: inside exactly when they say so", () => {
    const rows: { path: unknown; allowed: unknown; expected: boolean }[] = JSON.parse(
      file("paths/mcp-filesystem-paths/within-allowed-dirs.json"),
    );
    const wrong = rows.filter(({ path, allowed, expected }) => {
      const roots = Array.isArray(allowed) ? allowed : [allowed];
      const inside = roots.some((root) => {
        if (typeof path !== "string" || typeof root !== "string") return false;
        // Relative ones are meant from the root.
        return (
          relativeInside(root, path === "" || path.startsWith("/") ? path : join(root, path), "posix") !== undefined
        );
      });
      return inside !== expected;
    });
    expect(wrong).toEqual([]);
  });

  it("git's rules for Windows names: what git refuses is refused, what it takes is taken", () => {
    const rows = jsonLines("paths/git_path_rules.jsonl").filter(({ rule }) => rule === "win32_invalid_path");
    expect(rows.length).toBeGreaterThan(5);
    for (const { path, expect: expected } of rows) {
      if (path.startsWith("../")) continue;
      const attempt = () => canonicalPath(path, "windows");
      if (expected === "match") expect(attempt, path).toThrow(/InvalidPath/);
      else expect(attempt(), path).toBe(path);
    }
  });

  const payloads = () => {
    const lines = file("paths/traversal.txt").split("\n");
    const naughty: string[] = JSON.parse(file("paths/naughty_strings.json"));
    const rules = jsonLines("paths/git_path_rules.jsonl").map(({ path }) => path);
    return [...new Set([...lines, ...naughty, ...rules])].filter((payload) => payload !== "");
  };

  it("P5: no payload reads or writes anything outside the root, and none of the harmless ones is refused", {
    timeout: 240_000,
  }, async () => {
    const outer = mkdtempSync(join(tmpdir(), "files-escape-"));
    try {
      const root = join(outer, "root");
      for (const name of ["root", "root-evil", "outside", "etc"]) mkdirSync(join(outer, name));
      const canary = "canary 5b1f";
      const canaries = ["root-evil/secret", "outside/secret", "secret", "etc/passwd", "etc/issue", "boot.ini"];
      for (const name of canaries) writeFileSync(join(outer, name), canary);
      symlinkSync("../outside", join(root, "link"));
      symlinkSync("../secret", join(root, "file-link"));
      const files = new FsProjectFiles(root, { ripgrep: false, durable: false });
      const wronglyRefused: string[] = [];
      for (const payload of payloads()) {
        for (const path of [payload, `link/${payload}`, `a/${payload}`, payload.replace("{FILE}", "secret")]) {
          if ((await tryAll(files, path)) && isHarmless(path)) wronglyRefused.push(path);
        }
      }
      expect(wronglyRefused).toEqual([]);
      for (const name of canaries) expect(readFileSync(join(outer, name), "utf8")).toBe(canary);
      for await (const match of files.grep("canary 5b1f", { ignoreRules: false })) expect(match).toBeUndefined();
    } finally {
      rmSync(outer, { recursive: true, force: true });
    }
  });

  it("payloads mean the same in memory as on disk", async () => {
    const memory = new InMemoryProjectFiles({}, systemTimeAndIds);
    const root = mkdtempSync(join(tmpdir(), "files-same-"));
    try {
      const disk = new FsProjectFiles(root);
      const outcome = async (files: ProjectFiles, path: string) => {
        try {
          return await files.canonical(path);
        } catch (error) {
          return isProjectFilesError(error) ? error.code : error;
        }
      };
      for (const path of payloads()) expect(await outcome(disk, path), path).toBe(await outcome(memory, path));
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });
});

/** Reads, then writes, then removes. True when the path was refused. Reading a canary fails the test. */
async function tryAll(files: ProjectFiles, path: string): Promise<boolean> {
  try {
    const content = new TextDecoder().decode(await files.read(path));
    expect(content, path).not.toContain("canary");
  } catch (error) {
    if (!isProjectFilesError(error)) throw error;
  }
  try {
    await files.write(path, new TextEncoder().encode("written"));
    await files.delete(path);
    return false;
  } catch (error) {
    if (!isProjectFilesError(error)) throw error;
    return error.code === "OutsideRoot" || error.code === "InvalidPath";
  }
}

/** By the letter of the rules: relative, does not climb under either separator, has no NUL, is not too long. */
function isHarmless(path: string): boolean {
  const segments = path.split(/[\\/]/);
  const climbs = segments.some((segment) => segment === "..");
  const tooLong =
    path.split("/").some((segment) => Buffer.byteLength(segment) > 255) || Buffer.byteLength(path) > 4_095;
  const absolute = /^(\/|\\\\|[A-Za-z]:([\\/]|$))/.test(path);
  return !climbs && !tooLong && !absolute && !path.includes("\0") && path.isWellFormed() && !path.startsWith("link");
}
