import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { setting, temporaryFolder } from "./setting.ts";

const mark = "\ufeff";

/** What git says of a file that became another, or went away: the mark stands in its first line. */
function gitDiff(before: string, after: string | undefined): string {
  const root = temporaryFolder();
  const file = join(root, "a.csv");
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" });
  git("init", "--quiet");
  writeFileSync(file, before);
  git("add", "a.csv");
  if (after === undefined) rmSync(file);
  else writeFileSync(file, after);
  return git("diff", "--", "a.csv");
}

describe("a text with a byte order mark keeps one, and gets no second", () => {
  test.each([
    ["line feeds", "name;sum\none;1\n", "name;total\none;1\n"],
    ["CRLF", "name;sum\r\none;1\r\n", "name;total\r\none;1\r\n"],
    ["a line before the first", "name;sum\none;1\n", "sep=;\nname;sum\none;1\n"],
  ])("when a diff of git's changes its first line: %s", async (_, before, after) => {
    const { patch, text } = await setting({ "a.csv": `${mark}${before}` });
    await patch(gitDiff(`${mark}${before}`, `${mark}${after}`));
    expect(await text("a.csv")).toBe(`${mark}${after}`);
  });

  test("and goes as a whole when a diff of git's deletes it", async () => {
    const before = `${mark}name;sum\none;1\n`;
    const { patch, text } = await setting({ "a.csv": before });
    expect(await patch(gitDiff(before, undefined))).toMatchObject({ success: true });
    expect(await text("a.csv")).toBeUndefined();
  });
});
