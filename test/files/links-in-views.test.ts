import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { FsProjectFiles } from "../../device/files/backends/fs/fs-project-files.ts";

/** A folder that is gone when the test is over. */
function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "scouts-links-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

test("a tool in a copy cannot write outside it through links that lead out only together", async () => {
  const [root, temporaryRoot] = [folder(), folder()];
  const deep = "1/2/3/4/5/6/7/8/9";
  mkdirSync(join(root, deep), { recursive: true });
  const outside = join(folder(), "the persons.txt");
  writeFileSync(outside, "theirs");
  // Up nine folders is the copy itself; up nine more, from there, is the disk's root.
  symlinkSync("../".repeat(9), join(root, deep, "top"));
  symlinkSync(`${deep}/top/${"../".repeat(9)}${relative("/", outside)}`, join(root, "notes.txt"));
  symlinkSync("1/2", join(root, "inside"));
  const view = await new FsProjectFiles(root, { ripgrep: false }).materialize({ copy: true, temporaryRoot });
  onTestFinished(() => view.discard());
  if (existsSync(join(view.root, "notes.txt"))) writeFileSync(join(view.root, "notes.txt"), "a tool's");
  expect(readFileSync(outside, "utf8")).toBe("theirs");
  expect(view.leftOut).toEqual(["notes.txt"]);
  expect(existsSync(join(view.root, "inside"))).toBe(true);
});
