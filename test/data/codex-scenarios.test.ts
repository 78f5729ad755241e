import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { setting } from "../access/setting.ts";
import { dataFolder, hasData } from "./published.ts";

const folder = fileURLToPath(new URL("edits/codex-apply-patch/scenarios", dataFolder));

/** Where we do otherwise on purpose, why, and what we leave. */
const disagreements: Record<string, { readonly reason: string; readonly files?: Record<string, string> }> = {
  "010_move_overwrites_existing_destination": { reason: "a move never overwrites a file that is there" },
  "011_add_overwrites_existing_file": { reason: "an added file never overwrites one that is there" },
  "014_update_file_appends_trailing_newline": {
    reason: "a file without a final newline keeps none",
    files: { "no_newline.txt": "first line\nsecond line" },
  },
  "015_failure_after_partial_success_leaves_changes": { reason: "all files of a patch or none", files: {} },
};

function tree(root: string): Record<string, string> {
  if (!existsSync(root)) return {};
  const paths = readdirSync(root, { recursive: true }).map((entry) => join(root, String(entry)));
  const files = paths.filter((path) => statSync(path).isFile());
  return Object.fromEntries(files.map((path) => [relative(root, path), readFileSync(path, "utf8")]));
}

describe.skipIf(!hasData)("Codex's own scenarios of apply_patch", () => {
  test.each(hasData ? readdirSync(folder) : [])("%s", async (name) => {
    const input = tree(join(folder, name, "input"));
    const disagreement = disagreements[name];
    const expected = disagreement === undefined ? tree(join(folder, name, "expected")) : (disagreement.files ?? input);
    const { patch, files } = await setting(input);

    const result = await patch(readFileSync(join(folder, name, "patch.txt"), "utf8"));

    const left: Record<string, string> = {};
    for await (const { path } of files.walk()) left[path] = Buffer.from(await files.read(path)).toString("utf8");
    expect(left).toEqual(expected);
    expect(result.success).toBe(JSON.stringify(expected) !== JSON.stringify(input));
  });
});
