import { expect, test } from "vitest";
import { fuzzed } from "./fuzz.ts";

test("patches about hidden files, in every format and spelling, tell nothing of them (long: node test/access/hidden/fuzz.ts)", async () => {
  const { codes, leaks } = await fuzzed(300, 7);
  expect(leaks).toEqual([]);
  expect(Object.keys(codes)).toEqual(expect.arrayContaining(["denied", "approval_refused", "outside_root"]));
});
