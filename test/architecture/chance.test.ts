import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Where the time, chance and ids of a process come from: the adapters, and what composes a function. */
const sources = ["shared/ports/clock.ts", "functions/ids.ts", "functions/log.ts"];

/** A default argument, a fallback or a module constant: whoever composes a thing would not notice that it is there. */
const hidden = [
  /= (?:Date\.now|Math\.random|systemClock|ulid|randomUUID)\s*[,)]/,
  /\?\? (?:Date\.now|Math\.random|systemClock|ulid|randomUUID)\b/,
  /= monotonicFactory\(\)/,
  /\b(?:Date\.now|Math\.random|ulid|randomUUID)\(\)/,
];

test("the cloud's code is given its clock, its chance and its ids, so that a test and the simulation may give others", () => {
  const found = globSync("{shared,functions}/**/*.ts", { cwd: root })
    .filter((file) => !sources.includes(file))
    .flatMap((file) =>
      readFileSync(`${root}${file}`, "utf8")
        .split("\n")
        .flatMap((line, at) => (hidden.some((form) => form.test(line)) ? [`${file}:${at + 1}: ${line.trim()}`] : [])),
    );
  expect(found).toEqual([]);
});
