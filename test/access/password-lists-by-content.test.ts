import { describe, expect, test } from "vitest";
import { type FileToolName, fileToolNames } from "../../events/agent-tools/file-tools.ts";
import { setting } from "./setting.ts";

const list = "name,url,username,password,note\nBank,https://bank.example,ann,correct-horse,the blue one\n";
const path = "data/export-2026.csv";
const version = `ver_${"0".repeat(26)}`;
const add = (text: string) =>
  `*** Begin Patch\n*** Update File: ${path}\n@@\n-Bank,https://bank.example\n+${text}\n*** End Patch\n`;
const calls: Record<FileToolName, readonly object[]> = {
  list_files: [{}],
  read_file: [{ path }, { path, startChar: 3, maxChars: 20 }],
  read_lines: [{ path, startLine: 1, endLine: 2 }],
  get_excerpt: [{ path }],
  grep_files: [
    { pattern: "blue" },
    { pattern: "bank", ignoreCase: true, paths: [path] },
    { pattern: ".*", regex: true },
  ],
  search_content: [{ query: "blue" }],
  write_file: [
    { path, content: "x", mode: "append" },
    { path, content: "x", mode: "create" },
    { path, content: "x" },
  ],
  apply_patch: [{ patch: add("x"), dryRun: true }, { patch: add("x") }],
  get_diff: [{ path }, { path, v1: version }],
  file_history: [{ path }],
  summarize_file: [{ path }],
  rollback: [{ path, versionId: version }],
  record_changes: [{}, { paths: [path] }],
};
/** Of the file; its name is no secret. */
const traces = ["blue", "bank.example", "Bank", "ann", "correct-horse", "url,username"];

describe("D7: a list of passwords under another name is asked for, whatever tool reads it", () => {
  test.each(fileToolNames)("%s gives nothing of it to who was not let in", async (tool) => {
    const { access, session, text } = await setting({ [path]: list, "a.md": "words\n" });
    for (const args of calls[tool]) {
      const told = JSON.stringify(await access.call(session, tool, args));
      expect(traces.filter((trace) => told.includes(trace) && !JSON.stringify(args).includes(trace))).toEqual([]);
    }
    expect(await text(path)).toBe(list);
  });

  test.each([
    ["in UTF-16, as Windows writes it", Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(list, "utf16le")])],
    ["larger than what is read as a whole", Buffer.from(list + "x,y,z,correct-horse,n\n".repeat(9_000))],
  ])("%s too", async (_, bytes) => {
    const { access, session } = await setting({ [path]: bytes }, { maxTextBytes: 100_000 });
    expect(await access.call(session, "read_lines", { path, startLine: 2, endLine: 2 })).toMatchObject({
      ok: false,
      error: { code: "approval_refused", message: expect.stringContaining("list of passwords") },
    });
    expect(await access.readBytes(session, path, 1_000_000)).toMatchObject({
      ok: false,
      error: { code: "approval_refused" },
    });
  });

  test("its history is not shown either", async () => {
    const { access, session, files } = await setting({ [path]: "harmless\n" });
    await access.call(session, "read_file", { path });
    await access.call(session, "write_file", { path, content: "harmless too\n" });
    await files.write(path, Buffer.from(list));
    const person = access.openSession({ caller: "person", seesCredentials: true });
    await access.call(person, "write_file", { path, content: "clean\n", mode: "append" });
    await files.write(path, Buffer.from("clean\n"));
    const history = await access.call(session, "file_history", { path });
    const versions = history.ok && "versions" in history.result ? history.result.versions : [];
    for (const { id } of versions) {
      const told = JSON.stringify(await access.call(session, "get_diff", { path, v1: id }));
      expect(traces.filter((trace) => told.includes(trace))).toEqual([]);
    }
  });

  test("who is asked and says yes reads it, once for the session, still without the passwords", async () => {
    const asked: string[] = [];
    const approver = { approve: async ({ reason }: { reason: string }) => asked.push(reason) > 0 };
    const { access, session } = await setting({ [path]: list }, { approver });
    for (const tool of ["read_file", "get_excerpt"]) {
      const outcome = await access.call(session, tool, { path });
      expect(outcome).toMatchObject({ ok: true, result: { text: expect.stringContaining("the blue one") } });
      expect(JSON.stringify(outcome)).not.toContain("correct-horse");
    }
    expect(asked).toEqual(["it is a list of passwords"]);
  });

  test("a search asks nobody", async () => {
    const approver = { approve: () => Promise.reject(new Error("asked")) };
    const { access, session } = await setting({ [path]: list, "a.md": "blue words\n" }, { approver });
    expect(await access.call(session, "grep_files", { pattern: "blue" })).toMatchObject({
      ok: true,
      result: { matches: [{ path: "a.md" }] },
    });
  });
});

test("what a search says of files it leaves out is the same whether or not they hold the pattern", async () => {
  const files = {
    "a.md": "words\n",
    "x.bin": Buffer.concat([Buffer.from("needle"), Buffer.alloc(100)]),
    "list.csv": list.replace("blue", "needle"),
    "large.txt": "needle\n".repeat(500),
  };
  const { access, session } = await setting(files, { maxTextBytes: 2_000 });
  const said = (pattern: string) => access.call(session, "grep_files", { pattern });
  expect(await said("needle")).toEqual(await said("no such thing"));
});
