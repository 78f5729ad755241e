import { mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FsProjectFiles } from "../../device/files/backends/fs/fs-project-files.ts";
import { setting, temporaryFolder } from "./setting.ts";

const made = (mode: string) =>
  `diff --git a/made b/made\nnew file mode ${mode}\n--- /dev/null\n+++ b/made\n@@ -0,0 +1,1 @@\n+target\n`;

describe("a patch makes regular files (D9)", () => {
  test.each(["120000", "160000", "040000", "100000", "100777", "104755", "000000", "-1", "9", ""])(
    "a new file of mode %j is refused",
    async (mode) => {
      const { patch, text } = await setting({});
      expect(await patch(made(mode))).toMatchObject({ success: false, code: "patch_malformed" });
      expect(await text("made")).toBeUndefined();
    },
  );

  test.each([
    ["100644", 0o644],
    ["100755", 0o755],
  ])("a new file of mode %s is made so", async (mode, bits) => {
    const root = temporaryFolder();
    const { patch } = await setting({}, { files: new FsProjectFiles(root) });
    expect(await patch(made(mode))).toMatchObject({ success: true });
    expect(statSync(join(root, "made")).mode & 0o777).toBe(bits);
  });

  test("the target of a link is not rewritten as if it were the link's text", async () => {
    const root = temporaryFolder();
    mkdirSync(join(root, "d"));
    writeFileSync(join(root, "d/f"), "d/f\n");
    symlinkSync("d/f", join(root, "link"));
    const { patch, text } = await setting({}, { files: new FsProjectFiles(root) });
    const retarget =
      "diff --git a/link b/link\nindex 1234567..89abcde 120000\n--- a/link\n+++ b/link\n@@ -1,1 +1,1 @@\n-d/f\n+/etc/passwd\n";
    const removed =
      "diff --git a/link b/link\ndeleted file mode 120000\n--- a/link\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-d/f\n";
    for (const each of [retarget, removed]) expect(await patch(each)).toMatchObject({ code: "patch_malformed" });
    expect(await text("d/f")).toBe("d/f\n");
  });
});
