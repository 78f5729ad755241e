import { describe, expect, test } from "vitest";
import * as z from "zod";
import { applyHunks } from "../../device/access/edits/edit-file.ts";
import { parsePatch } from "../../device/access/edits/patches/parse-patch.ts";
import { mergeThreeWay } from "../../device/access/edits/three-way-merge.ts";
import { isAccessError } from "../../device/access/errors.ts";
import { dataRows, hasData } from "./published.ts";

const patchRow = z.object({
  id: z.string(),
  kind: z.string(),
  current: z.string(),
  patch: z.string(),
  expected_if_exact: z.string().nullish(),
  git_apply_ok: z.boolean(),
  git_apply_result: z.string().nullish(),
});
const mergeRow = z.object({
  id: z.string(),
  base: z.string(),
  ours: z.string(),
  theirs: z.string(),
  git_conflicts: z.number(),
  git_result: z.string().nullish(),
});

/** The text after the patch, or the code of the refusal. */
function applied(current: string, patch: string): { text: string } | { refused: string } {
  try {
    const [file] = parsePatch(patch, { path: "f" }).files;
    if (file?.kind !== "update") return { refused: "not an update" };
    return { text: Buffer.from(applyHunks(Buffer.from(current), file.hunks).bytes).toString() };
  } catch (error) {
    if (isAccessError(error)) return { refused: error.code };
    throw error;
  }
}

describe.skipIf(!hasData)("patches of real repositories", () => {
  const rows = hasData ? dataRows("edits/patches.jsonl.gz", patchRow) : [];

  test("a patch for this very text gives git's bytes", () => {
    const exact = rows.filter(({ kind }) => kind === "exact");
    const wrong = exact.flatMap(({ id, current, patch, expected_if_exact: expected }) => {
      const result = applied(current, patch);
      return "text" in result && result.text === expected
        ? []
        : [[id, "text" in result ? "other text" : result.refused]];
    });
    expect(exact.length).toBeGreaterThan(200);
    expect(wrong).toEqual([]);
  });

  test("a stale patch is refused or gives what git makes of it, never another text", () => {
    const wrong = rows.flatMap(({ id, kind, current, patch, git_apply_ok: ok, git_apply_result: expected }) => {
      const result = applied(current, patch);
      return "text" in result && !(ok && result.text === expected) ? [[id, kind, ok]] : [];
    });
    expect(wrong).toEqual([]);
  });
});

describe.skipIf(!hasData)("merges of real repositories and of git's own tests", () => {
  test.each(["edits/three_way_merges.jsonl.gz", "edits/git_t6403_merge_file.jsonl"])(
    "%s: a conflict when git says so, else git's text",
    (name) => {
      const wrong = dataRows(name, mergeRow).flatMap((row) => {
        const [base, ours, theirs] = [row.base, row.ours, row.theirs].map((text) => Buffer.from(text));
        if (base === undefined || ours === undefined || theirs === undefined) return [row.id];
        const result = mergeThreeWay(base, ours, theirs);
        if (result.clean !== (row.git_conflicts === 0)) return [`${row.id} clean=${result.clean}`];
        return result.clean && Buffer.from(result.bytes).toString() !== row.git_result ? [`${row.id} text`] : [];
      });
      expect(wrong).toEqual([]);
    },
  );
});
