import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { long, ownProcess, secondProofs, testsOfTests } from "../phases.ts";
import { importsOf, root } from "./source-tree.ts";

const files = globSync("test/**/*.ts", { cwd: root }).map((file) => file.split(path.sep).join("/"));
const textOf = (file: string) => readFileSync(path.join(root, file), "utf8");
const isTest = (file: string) => file.endsWith(".test.ts");

/** Changes what other files of the same process would see. */
const replaces = (file: string) => /\bvi\.(?:mock|doMock|stubEnv|stubGlobal|useFakeTimers)\(/.test(textOf(file));

test("every file that test/phases.ts names is there", () => {
  expect([...ownProcess, ...long, ...secondProofs, ...testsOfTests].filter((file) => !files.includes(file))).toEqual(
    [],
  );
});

test("what opens a browser is not in the short run", () => {
  const inBrowser = files.filter(
    (file) => isTest(file) && importsOf(file, textOf(file)).some(({ target }) => target === "test/browser.ts"),
  );
  expect(inBrowser.length).toBeGreaterThan(25);
  expect(inBrowser.filter((file) => !long.includes(file))).toEqual([]);
});

test("no test puts another object in the place of the environment, in which a variable that is set changes nothing", () => {
  expect(files.filter((file) => /\bprocess\.env =(?!=)/.test(textOf(file)))).toEqual([]);
});

test("a test that replaces modules, the clock or the environment has a process of its own", () => {
  const helpers = new Set(files.filter((file) => !isTest(file) && replaces(file)));
  const replacing = files.filter(
    (file) =>
      isTest(file) &&
      (replaces(file) ||
        importsOf(file, textOf(file)).some(({ target, kind }) => kind !== "type" && helpers.has(target))),
  );
  expect(replacing.length).toBeGreaterThan(5);
  expect(replacing.filter((file) => !ownProcess.includes(file))).toEqual([]);
});
