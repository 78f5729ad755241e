import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { setting } from "../access/setting.ts";
import { countsByKind, patched, patchRow } from "./edit-variants.ts";
import { dataFolder, dataRows, hasData } from "./published.ts";

const gitsOwn = (name: string) => readFileSync(new URL(`edits/git-t/t4109/${name}`, dataFolder), "utf8");

describe.skipIf(!hasData)("published patches and merges, in every encoding and with every line end", () => {
  const counts = hasData ? [...countsByKind()] : [];

  test.each(counts.map(([kind, of]) => [kind, of] as const))(
    "%s: git's bytes or a refusal, never another text",
    (_, of) => {
      expect(of.get("another text") ?? []).toEqual([]);
    },
  );

  test("what git applies is refused only where a patch asks for a final newline that is not there, as git does then too", () => {
    const refused = counts.flatMap(([kind, of]) => ((of.get("refused, git applies") ?? []).length > 0 ? [kind] : []));
    expect(refused.filter((kind) => !kind.startsWith("no final newline"))).toEqual([]);
  });

  test("lines with other ends than their neighbours keep them, and what is added ends as its neighbours do", () => {
    const wrong = dataRows("edits/patches.jsonl.gz", patchRow).flatMap(
      ({ id, kind, current, patch, expected_if_exact: expected }) => {
        if (kind !== "exact" || expected == null || current.includes("\r")) return [];
        const lines = current.split("\n");
        const mixed = lines.map((line, at) =>
          at === lines.length - 1 ? line : `${line}${at % 3 === 0 ? "\r\n" : "\n"}`,
        );
        const result = patched(Buffer.from(mixed.join("")), patch);
        if ("refused" in result) return [[id, result.refused]];
        const got = result.bytes.toString("utf8");
        const [before, after] = untouched(lines, patch);
        const isKept =
          got.startsWith(mixed.slice(0, before).join("")) && got.endsWith(mixed.slice(lines.length - after).join(""));
        return isKept && got.replaceAll("\r\n", "\n") === expected ? [] : [[id, "another text"]];
      },
    );
    expect(wrong).toEqual([]);
  });

  test.each([
    ["expect-1", ["patch1.patch", "patch2.patch"]],
    ["expect-2", ["patch1.patch", "patch2.patch", "patch3.patch"]],
    ["expect-3", ["patch1.patch", "patch4.patch"]],
  ] as const)("git's own t4109 %s: a series of patches gives its bytes", async (expected, patches) => {
    const { patch, text } = await setting({});
    for (const name of patches) expect(await patch(gitsOwn(name))).toMatchObject({ success: true });
    expect(await text("main.c")).toBe(gitsOwn(expected));
  });
});

/** How many lines lie before a patch's first hunk, and after its last. */
function untouched(lines: readonly string[], patch: string): [number, number] {
  const hunks = [...patch.matchAll(/^@@ -(\d+)(?:,(\d+))?/gm)];
  const [first, last] = [hunks[0], hunks.at(-1)];
  const end = Number(last?.[1] ?? 0) + Number(last?.[2] ?? 1) - 1;
  return [Math.max(0, Number(first?.[1] ?? 1) - 1), Math.max(0, lines.length - end)];
}
