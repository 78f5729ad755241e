import { expect, test } from "vitest";
import { setting } from "./setting.ts";

const text = Array.from({ length: 9 }, (_, at) => `line ${at + 1}\n`).join("");

test("a hunk without lines around its change, which git takes for the file's end, is refused with what to do", async () => {
  const { patch, text: textOf } = await setting({ "a.txt": text });

  const refused = await patch("--- a/a.txt\n+++ b/a.txt\n@@ -4,1 +4,1 @@\n-line 4\n+line four\n");

  expect(refused).toMatchObject({ success: false, code: "no_match", candidates: [{ startLine: 4, endLine: 4 }] });
  expect(refused.message).toContain("Add the lines around the change");
  expect(await textOf("a.txt")).toBe(text);
});

test("a hunk whose lines are nowhere is not told to have more of them", async () => {
  const { patch } = await setting({ "a.txt": text });

  const refused = await patch("--- a/a.txt\n+++ b/a.txt\n@@ -4,1 +4,1 @@\n-line x\n+line four\n");

  expect(refused).toMatchObject({ success: false, code: "no_match" });
  expect(refused.message).not.toContain("Add the lines");
});
