import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { replay } from "../../device/access/audit/replay.ts";
import { replacing } from "./in-memory-setting.ts";
import { setting } from "./setting.ts";

const sha256 = (content: string | Uint8Array) => createHash("sha256").update(content).digest("hex");

/** Reading tools, what they are asked, and the text they give of `a.md`. */
const reads: readonly (readonly [string, Record<string, unknown>, (result: never) => string])[] = [
  ["read_file", { full: true }, ({ text }: { text: string }) => text],
  ["read_file", { startChar: 3, maxChars: 10 }, ({ text }: { text: string }) => text],
  ["read_lines", { startLine: 2, endLine: 3 }, ({ text }: { text: string }) => text],
  ["get_excerpt", { maxLines: 5 }, ({ text }: { text: string }) => text],
  ["summarize_file", {}, ({ text }: { text: string }) => text],
];

test.each(reads)(
  "P5: the trail of %s %j holds the hash of the file and of what was shown",
  async (tool, args, told) => {
    const secret = `ghp_${sha256("token").slice(0, 36)}`;
    const content = `# Title\ntoken = ${secret}\n${"word ".repeat(9)}\n${"line\n".repeat(40)}`;
    const { access, session } = await setting({ "a.md": content });
    const outcome = await access.call(session, tool, { path: "a.md", ...args });
    if (!outcome.ok) throw new Error(outcome.error.message);
    const text = told(outcome.result as never);
    expect(text).not.toContain(secret);
    const hash = sha256(content);
    expect(access.audit.newest(1)[0]?.files).toEqual([
      { path: "a.md", beforeHash: hash, afterHash: hash, versionId: null, shownHash: sha256(text) },
    ]);
    expect(access.audit.verify()).toMatchObject({ ok: true });
  },
);

test("P5: a search, a dry run, a difference, bytes and a refusal say what they gave of each file", async () => {
  const { access, session, patch } = await setting({
    "a.txt": "one\ntwo\none\n",
    "b.txt": "one\n",
    "c.txt": "none else\n",
  });
  const newest = () => access.audit.newest(1)[0];
  await access.call(session, "grep_files", { pattern: "one", contextLines: 0, paths: ["a.txt", "b.txt"] });
  expect(newest()?.files.map(({ path, shownHash }) => [path, shownHash])).toEqual([
    ["a.txt", sha256("one\none")],
    ["b.txt", sha256("one")],
  ]);
  const dry = await patch(replacing("b.txt", "one", "1"), { dryRun: true });
  expect(newest()?.files).toEqual([
    {
      path: "b.txt",
      beforeHash: sha256("one\n"),
      afterHash: sha256("one\n"),
      versionId: null,
      shownHash: sha256(dry.diff ?? ""),
    },
  ]);
  await patch(replacing("b.txt", "one", "2"));
  const diff = await access.call(session, "get_diff", { path: "b.txt" });
  if (!diff.ok) throw new Error(diff.error.message);
  expect(newest()?.files).toMatchObject([
    {
      beforeHash: sha256("one\n"),
      afterHash: sha256("2\n"),
      versionId: null,
      shownHash: sha256((diff.result as { diff: string }).diff),
    },
  ]);
  await access.readBytes(session, "c.txt", 100);
  expect(newest()?.files).toMatchObject([{ path: "c.txt", shownHash: sha256("none else\n") }]);
  const refused = await patch(replacing("a.txt", "one", "1"));
  expect(refused).toMatchObject({ success: false, code: "ambiguous_match" });
  expect(newest()).toMatchObject({
    outcome: "ambiguous_match",
    files: refused.current === undefined ? [] : [{ path: "a.txt", shownHash: sha256(refused.current) }],
  });
  expect(refused.current).toBeDefined();
});

test("P5: what was read is no change to a replay, before and after a rotation", async () => {
  const { access, session, files, patch } = await setting({ f: "one\n", only: "read\n" });
  await patch(replacing("f", "one", "two"));
  await files.write("f", Buffer.from("by hand\n"));
  await access.call(session, "read_file", { path: "f", full: true });
  await access.call(session, "read_file", { path: "only", full: true });
  const left = () => {
    const { files: trees, outsideChanges } = replay(access.audit.records(), access.kit.store.contents);
    return { files: [...trees].map(([path, bytes]) => [path, Buffer.from(bytes ?? []).toString()]), outsideChanges };
  };
  const expected = { files: [["f", "two\n"]], outsideChanges: [] };
  expect(left()).toEqual(expected);
  expect(access.audit.rotate(access.kit.store.audit.anchors().headSeq)).toBeGreaterThan(0);
  expect(left()).toEqual(expected);
});

test("P5: what was refused has shown nothing", async () => {
  const { access, session } = await setting({ ".env": "KEY=value\n" });
  expect(await access.call(session, "read_file", { path: ".env" })).toMatchObject({ ok: false });
  expect(access.audit.newest(1)[0]?.files).toEqual([]);
});
