import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Where the time, chance and ids of a process come from: the adapters, and what composes a function or a program. */
const sources = [
  "shared/ports/clock.ts",
  "functions/ids.ts",
  "functions/log.ts",
  "device/time-and-ids.ts",
  "device/connection/clock.ts",
  "device/connection/ports.ts",
  // How a date is written on a page; nothing is decided by it.
  "device/console/page/states/this-year.ts",
  // Names the operating system is given, which nobody sees and nothing keeps: of a file while it is written, and of a
  // program's children, so that all of them are found when it has to end.
  "device/files/backends/fs/temporary-name.ts",
  "device/workspace/subprocess.ts",
];

/**
 * A default argument, a fallback or a module constant: whoever composes a thing would not notice that it is there. What only
 * measures how long something took (`performance.now`) may be read where it is measured, and keys and nonces
 * (`randomBytes`) have to be unpredictable and nothing else; neither is a default all the same.
 */
const hidden = [
  /= (?:Date\.now|Math\.random|systemClock|ulid|randomUUID|\(\) => performance\.now\(\))\s*[,)]/,
  /\?\? (?:Date\.now|Math\.random|systemClock|ulid|randomUUID|performance\.now)\b/,
  /monotonicFactory\(\)/,
  /\b(?:Date\.now|Math\.random|ulid|randomUUID)\(/,
  /new Date\(\)/,
];

test("code is given its clock, its chance and its ids, so that a test and the simulation may give others", () => {
  const found = globSync("{shared,functions,device,cli}/**/*.ts", { cwd: root })
    .filter((file) => !sources.includes(file))
    .flatMap((file) =>
      readFileSync(`${root}${file}`, "utf8")
        .split("\n")
        .flatMap((line, at) => (hidden.some((form) => form.test(line)) ? [`${file}:${at + 1}: ${line.trim()}`] : [])),
    );
  expect(found).toEqual([]);
});

test("a source of time, chance or ids that is named is there and is one", () => {
  const needless = sources.filter((file) => {
    const text = readFileSync(`${root}${file}`, "utf8");
    return !/Date\.now|Math\.random|monotonicFactory\(\)|randomUUID\(\)|new Date\(\)/.test(text);
  });
  expect(needless).toEqual([]);
});

test("what a change has to pass is the same each time: no test draws chance of its own", () => {
  const found = globSync("test/**/*.ts", { cwd: root }).filter(
    (file) => !file.startsWith("test/architecture/") && /\bMath\.random\b/.test(readFileSync(`${root}${file}`, "utf8")),
  );
  expect(found).toEqual([]);
});
