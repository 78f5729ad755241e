import { describe, expect, test } from "vitest";
import * as z from "zod";
import { isProtectedFromWriting } from "../../device/access/policy/protected.ts";
import { dataRows, hasData } from "./published.ts";

describe.skipIf(!hasData)("published spellings of .git", () => {
  test("every one that a Windows or Mac disk takes for .git is protected", () => {
    const row = z.object({ path: z.string(), rule: z.string() });
    const spellings = dataRows("paths/git_path_rules.jsonl", row)
      .filter(({ rule, path }) => rule === "git_confusing_component" && !/^\.+$/.test(path))
      .map(({ path }) => path);
    expect(spellings.length).toBeGreaterThan(2);
    expect(spellings.filter((path) => !isProtectedFromWriting(path))).toEqual([]);
  });
});
