import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { fileToolNames, fileTools } from "../../events/agent-tools/file-tools.ts";
import { documentFile, regenerated, sectionNames } from "./file-access-document.ts";

const document = readFileSync(documentFile, "utf8");

test("docs/LLM_FILE_ACCESS.md says what the code does (node test/access/file-access-document.ts brings it up to date)", () => {
  expect(regenerated(document)).toBe(document);
});

test("every generated section is in the document once", () => {
  const marks = [...document.matchAll(/<!-- generated: (\w+) -->/g)].map(([, name]) => name);
  expect(marks.toSorted()).toEqual([...sectionNames].sort());
});

test.each(fileToolNames)("the examples of %s are what the tool takes", (name) => {
  const { input, examples } = fileTools[name];
  expect(examples.length).toBeGreaterThan(0);
  for (const example of examples) expect(input.safeParse(example).error).toBeUndefined();
});

test.each(fileToolNames)("%s refuses arguments it does not know", (name) => {
  const { input, examples } = fileTools[name];
  expect(input.safeParse({ ...examples[0], surprising: 1 }).success).toBe(false);
});
