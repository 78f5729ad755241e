import { expect, test } from "vitest";
import { replaceContent } from "../../device/access/edits/edit-file.ts";
import { lineChanges } from "../../device/access/edits/lines/line-diff.ts";

test("a text of a hundred thousand lines that is written anew is compared at once: what is on one side alone is not searched for", () => {
  const before = Array.from({ length: 100_000 }, (_, at) => `old ${at}\n`);
  const after = [...before.slice(0, 10), ...before.slice(10).map((line) => `new ${line}`), ...before.slice(99_990)];
  let looks = 0;
  const changes = lineChanges(before, after, { isOverdue: () => ++looks > 100 });
  expect(looks).toBeLessThanOrEqual(100);
  expect(changes.reduce((sum, { oldStart, oldEnd }) => sum + oldEnd - oldStart, 0)).toBe(99_980);
});

test("a text that cannot be compared in time is replaced as a whole, and is what was wanted", () => {
  const lines = (words: readonly string[]) => Array.from({ length: 4_000 }, (_, at) => words[(at * 7) % words.length]);
  const before = `${lines(["a", "b", "c"]).join("\n")}\n`;
  const after = `${lines(["c", "c", "b", "a", "b"]).join("\n")}\n`;
  expect(Buffer.from(replaceContent(Buffer.from(before), after, { isOverdue: () => true })).toString()).toBe(after);
});
