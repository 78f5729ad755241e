import { expect, test } from "vitest";
import { code } from "./source-tree.ts";

/** `catch {` takes whatever comes: a full disk and a mistake of ours look like what was expected. The next line has the reason. */
const bareCatch = /\bcatch \{\n(?!.*\/\/ \S)/g;

const bareIn = (text: string) =>
  [...text.matchAll(bareCatch)].map(({ index }) => text.slice(0, index).split("\n").length);

test("whoever catches every error says which one is expected, and why nothing is lost by it", () => {
  expect(bareIn("try {\n  a();\n} catch {\n  b();\n}\n")).toEqual([3]);
  expect(bareIn("try {\n  a();\n} catch {\n  // No JSON is no frame.\n  b();\n}\n")).toEqual([]);
  const bare = code.flatMap(({ path, text }) => bareIn(text).map((line) => `${path}:${line}`));
  expect(bare).toEqual([]);
});
