import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { MergeTexts } from "../../device/access/merge-proposer.ts";
import { patchResult } from "../../events/agent-tools/patch-result.ts";
import { replacing } from "./in-memory-setting.ts";
import { setting } from "./setting.ts";

const tenLines = Array.from({ length: 10 }, (_, index) => `line ${index + 1}\n`).join("");
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

describe("an edit is made against what the session has seen", () => {
  test("a change elsewhere is merged, and the answer says so", async () => {
    const { access, session, files, patch, text } = await setting({ f: tenLines });
    await access.call(session, "read_file", { path: "f" });
    await files.write("f", Buffer.from(tenLines.replace("line 9", "LINE 9")));
    const result = await patch(replacing("f", "line 2", "LINE 2"));
    expect(result).toMatchObject({ success: true, conflict: false });
    expect(result.message).toContain("merged");
    expect(await text("f")).toBe(tenLines.replace("line 9", "LINE 9").replace("line 2", "LINE 2"));
  });

  test("a change of the same lines is a conflict with the current text, and nothing changes", async () => {
    const { access, session, files, patch, text } = await setting({ f: tenLines });
    await access.call(session, "read_file", { path: "f" });
    const theirs = tenLines.replace("line 2", "theirs");
    await files.write("f", Buffer.from(theirs));
    const result = await patch(replacing("f", "line 2", "ours"));
    expect(patchResult.parse(result)).toMatchObject({ success: false, conflict: true, code: "conflict", diff: null });
    expect(result.current).toContain("theirs\n");
    expect(result.current).not.toContain("line 9");
    expect(await text("f")).toBe(theirs);
  });

  test("the very same change is told as made already", async () => {
    const { access, session, files, patch } = await setting({ f: tenLines });
    await access.call(session, "read_file", { path: "f" });
    await files.write("f", Buffer.from(tenLines.replace("line 2", "LINE 2")));
    expect(await patch(replacing("f", "line 2", "LINE 2"))).toMatchObject({ success: false, code: "already_applied" });
  });

  test("a hash nobody knows is a conflict, unless the range it names has not changed", async () => {
    const { access, session, files, patch, text } = await setting({ f: tenLines });
    const read = await access.call(session, "read_lines", { path: "f", startLine: 2, endLine: 4 });
    const hash = read.ok ? read.result.rangeHash : "";
    expect(hash).toBe(sha256("line 2\nline 3\nline 4\n"));
    const changed = tenLines.replace("line 9", "LINE 9");
    await files.write("f", Buffer.from(changed));
    const unknown = sha256("never seen");
    expect(await patch(replacing("f", "line 3", "x"), { baseHash: unknown })).toMatchObject({ conflict: true });
    const baseRange = { startLine: 2, endLine: 4, hash };
    expect(await patch(replacing("f", "line 7", "x"), { baseRange })).toMatchObject({ conflict: true });
    expect(await patch(replacing("f", "line 3", "x"), { baseRange })).toMatchObject({ success: true });
    expect(await text("f")).toBe(changed.replace("line 3", "x"));
    expect(await patch(replacing("f", "line 4", "y"), { baseRange })).toMatchObject({ conflict: true });
  });

  test("a file is not replaced before it has been read", async () => {
    const { access, session, text } = await setting({ f: "by hand\n" });
    const write = () => access.call(session, "write_file", { path: "f", content: "by model\n" });
    expect(await write()).toMatchObject({ ok: false, error: { code: "unread", current: "by hand\n" } });
    await access.call(session, "read_file", { path: "f" });
    expect(await write()).toMatchObject({ ok: true });
    expect(await text("f")).toBe("by model\n");
  });

  test("a file that has gone or come meanwhile is not what was meant", async () => {
    const { access, session, files, patch } = await setting({ f: "a\n" });
    await access.call(session, "read_file", { path: "f" });
    await files.delete("f");
    expect(await patch(replacing("f", "a", "b"))).toMatchObject({ success: false, code: "not_found" });
    await files.write("f", Buffer.from("other\n"));
    expect(await patch("*** Begin Patch\n*** Delete File: f\n*** End Patch")).toMatchObject({ conflict: true });
    expect(await patch("*** Begin Patch\n*** Add File: f\n+x\n*** End Patch")).toMatchObject({
      code: "already_exists",
    });
  });

  test("a file that was taken away since the session read it is not written anew, unless that is said", async () => {
    const { access, session, files, text } = await setting({ f: "a\n" });
    await access.call(session, "read_file", { path: "f" });
    await files.delete("f");
    for (const mode of ["truncate", "append"]) {
      const outcome = await access.call(session, "write_file", { path: "f", content: "b\n", mode });
      expect(outcome).toMatchObject({ ok: false, error: { code: "conflict" } });
    }
    expect(await text("f")).toBeUndefined();
    await access.call(session, "write_file", { path: "f", content: "b\n", mode: "create" });
    expect(await text("f")).toBe("b\n");
  });

  test.each(["truncate", "append", "create"])(
    "a text that no reader would take for one is not written: %s",
    async (mode) => {
      const { access, session, text } = await setting({ f: "a\n" });
      await access.call(session, "read_file", { path: "f" });
      const path = mode === "create" ? "g" : "f";
      const outcome = await access.call(session, "write_file", { path, content: "b\0c\n", mode });
      expect(outcome).toMatchObject({ ok: false, error: { code: "unencodable" } });
      expect([await text("f"), await text("g")]).toEqual(["a\n", undefined]);
    },
  );

  test("a model's merge is applied only when a person approves it, and sees no credentials", async () => {
    const shown: MergeTexts[] = [];
    const mergeProposer = {
      async propose(texts: MergeTexts) {
        shown.push(texts);
        return tenLines.replace("line 2", "both");
      },
    };
    for (const approved of [false, true]) {
      const approver = { approve: async () => approved };
      const { access, session, files, patch, text } = await setting({ f: tenLines }, { mergeProposer, approver });
      await access.call(session, "read_file", { path: "f" });
      await files.write("f", Buffer.from(tenLines.replace("line 2", "theirs")));
      const result = await patch(replacing("f", "line 2", "ours"), { onConflict: "propose_merge" });
      expect(result).toMatchObject(approved ? { success: true } : { success: false, code: "approval_refused" });
      expect(await text("f")).toContain(approved ? "both" : "theirs");
    }
    expect(shown[0]).toMatchObject({ path: "f", base: tenLines, edited: tenLines.replace("line 2", "ours") });
  });
});

describe("an edit that cannot be made says why, shows the text and changes nothing", () => {
  const begin = "*** Begin Patch\n*** Update File: f\n@@\n";
  const cases: readonly (readonly [string, string, string])[] = [
    ["lines that are not there", `${begin}-absent\n+x\n*** End Patch`, "no_match"],
    ["lines that are there twice", `${begin}-same\n+x\n*** End Patch`, "ambiguous_match"],
    ["hunks in the wrong order", `${begin}-c\n+C\n@@\n-a\n+A\n*** End Patch`, "overlapping_edits"],
    ["the same lines twice", `${begin}-a\n+A\n@@\n-a\n+B\n*** End Patch`, "overlapping_edits"],
    ["the same file twice", `${begin}-a\n+A\n*** Update File: f\n@@\n-c\n+C\n*** End Patch`, "overlapping_edits"],
    ["nothing", `${begin} a\n*** End Patch`, "patch_empty"],
    ["a file that is not there", "*** Begin Patch\n*** Update File: g\n@@\n-a\n+b\n*** End Patch", "not_found"],
    ["a placeholder", `${begin}-a\n+// ... rest of code unchanged ...\n*** End Patch`, "placeholder"],
    ["a character that makes it binary", `${begin}-a\n+b\0c\n*** End Patch`, "unencodable"],
    ["a sentinel", `${begin}-a\n+⟦redacted:token#a1b2c3⟧\n*** End Patch`, "redaction_sentinel"],
    ["a patch that was cut off", `${begin}-a\n+b`, "patch_malformed"],
    ["prose", "Please change a to b.", "patch_malformed"],
    ["a path out of the project", "*** Begin Patch\n*** Add File: ../x\n+a\n*** End Patch", "outside_root"],
    ["an absolute path", "*** Begin Patch\n*** Add File: /etc/x\n+a\n*** End Patch", "outside_root"],
    ["a folder", "*** Begin Patch\n*** Delete File: d\n*** End Patch", "not_a_file"],
    ["a binary file", "*** Begin Patch\n*** Update File: b\n@@\n-a\n+b\n*** End Patch", "binary_file"],
  ];

  test.each(cases)("%s", async (_, patchText, code) => {
    const initial = { f: "a\nsame\nb\nsame\nc\n", "d/x": "x\n", b: "a\0b\n" };
    const { patch, files, access } = await setting(initial);
    const result = await patch(patchText);
    expect(patchResult.parse(result)).toMatchObject({ success: false, code, conflict: false });
    for (const [path, text] of Object.entries(initial)) {
      expect(Buffer.from(await files.read(path)).toString()).toBe(text);
    }
    expect(await files.exists("g")).toBe(false);
    const record = [...access.audit.records()].at(-1);
    expect(record).toMatchObject({ tool: "apply_patch", outcome: code });
    // What a refusal shows of the file is in the trail as shown, and as no change.
    for (const file of record?.files ?? []) {
      expect(file).toMatchObject({ versionId: null, beforeHash: file.afterHash, shownHash: expect.any(String) });
    }
  });

  test("places an edit could mean are given with their lines", async () => {
    const { patch } = await setting({ f: "a\nsame\nb\nsame\nc\n" });
    const result = await patch(`${begin}-same\n+x\n*** End Patch`);
    expect(result.candidates).toEqual([
      { startLine: 2, endLine: 2 },
      { startLine: 4, endLine: 4 },
    ]);
    expect(result.current).toContain("same");
  });

  test("an edit with other white space and quotes is found, and indents as the file does", async () => {
    const { patch, text } = await setting({ f: "def f():\n\tif x:\n\t\treturn 'a'\n\treturn 1\n" });
    const result = await patch(
      "*** Begin Patch\n*** Update File: f\n@@\n def f():\n     if x:\n-        return ‘a’\n+        return 'b'\n*** End Patch",
    );
    expect(result.message).toContain("evening out");
    expect(await text("f")).toBe("def f():\n\tif x:\n\t\treturn 'b'\n\treturn 1\n");
  });

  test("lines that are merely similar, or indented otherwise, are not taken", async () => {
    const { patch } = await setting({ f: "if a:\n    b()\n        c()\n" });
    expect(await patch("*** Begin Patch\n*** Update File: f\n@@\n-b()\n-c()\n+d()\n*** End Patch")).toMatchObject({
      code: "no_match",
    });
    expect(await patch("*** Begin Patch\n*** Update File: f\n@@\n-    b(1)\n+d()\n*** End Patch")).toMatchObject({
      code: "no_match",
    });
  });

  test("a file of 100 MB is read in pieces and not changed, by name of the limit", async () => {
    const { access, session, patch } = await setting({ big: Buffer.alloc(100_000_000, "a\n") });
    const lines = { path: "big", startLine: 40_000_000, endLine: 40_000_001 };
    expect(await access.call(session, "read_lines", lines)).toMatchObject({ ok: true, result: { text: "a\na\n" } });
    expect(await patch(replacing("big", "a", "b"))).toMatchObject({ code: "too_large" });
  });

  test("a dry run says what would change and changes nothing", async () => {
    const { patch, text, access } = await setting({ f: "a\n" });
    const result = await patch(replacing("f", "a", "b"), { dryRun: true });
    expect(result).toMatchObject({ success: true, versionId: null });
    expect(result.diff).toContain("+b");
    expect([await text("f"), access.kit.store.versions.all()]).toEqual(["a\n", []]);
  });
});
