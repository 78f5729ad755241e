import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { deviceActionNames } from "../../../events/agent-tools/actions.ts";
import { workTools } from "../../../events/agent-tools/work-tools.ts";
import { setting } from "./setting.ts";

const read = (project_id: string, relative_path: string) =>
  ["read_project_folder_file", { project_id, relative_path }] as const;

describe("4.4: read_project_folder_file", () => {
  test("gives a text with its lines, without credentials", async () => {
    const { table, projectId } = setting({ "notes/a.md": "# Plan\nkey AKIAZ7QXCVBNMLKJHGFD\n" });
    const { text, error, filesRead } = await table.run(...read(projectId, "notes/a.md"));
    expect(error).toBeUndefined();
    expect(filesRead).toEqual([{ projectId, path: "notes/a.md" }]);
    expect(text).toContain('{"path":"notes/a.md","lines":"1-2 of 2"');
    expect(text).toContain("# Plan\n");
    expect(text).not.toContain("AKIAZ7QXCVBNMLKJHGFD");
  });

  test("an unlinked project, and one that is not here, have no folder", async () => {
    const { table, store } = setting({});
    const { id } = store.projects.add("Attic");
    expect(await table.run(...read(id, "a.md"))).toEqual({
      error: "folder_not_linked",
      text: 'No folder linked to project "Attic".',
    });
    const nobodys = "prj_01JD0000000000000000000003";
    expect(await table.run(...read(nobodys, "a.md"))).toEqual({
      error: "folder_not_linked",
      text: `No folder linked to project ${nobodys}.`,
    });
  });

  test.each([
    "../outside.md",
    "/etc/hostname",
    "a/../../outside.md",
    "out/secret.md",
    "link.md",
    "C:\\x.md",
    "a\0b.md",
  ])("%j leads outside: access denied, with an audit row, and nothing of it", async (path) => {
    const { table, projectId, root, projectAudit } = setting({ "a/b.md": "inside" });
    mkdirSync(join(root, "..", "elsewhere"));
    writeFileSync(join(root, "..", "elsewhere", "secret.md"), "canary");
    writeFileSync(join(root, "..", "outside.md"), "canary");
    symlinkSync(join(root, "..", "elsewhere"), join(root, "out"));
    symlinkSync(join(root, "..", "outside.md"), join(root, "link.md"));
    expect(await table.run(...read(projectId, path))).toEqual({ error: "access_denied", text: "Access denied" });
    const rows = await projectAudit();
    expect(rows.at(-1)).toMatchObject({ caller: "agent:home", tool: "read_file", args: { path } });
    expect(rows.at(-1)?.outcome).toMatch(/^(outside_root|invalid_path)$/);
  });

  test("also of pictures and documents outside", async () => {
    const { table, projectId, root, projectAudit } = setting({});
    writeFileSync(join(root, "..", "outside.png"), "canary");
    expect(await table.run(...read(projectId, "../outside.png"))).toMatchObject({ error: "access_denied" });
    expect((await projectAudit()).at(-1)).toMatchObject({ tool: "read_file", outcome: "outside_root" });
  });

  test("what the policy keeps is denied, as nobody is there to ask", async () => {
    const { table, projectId } = setting({ ".env": "A=1", "dump.mbox": "From x" });
    expect(await table.run(...read(projectId, ".env"))).toMatchObject({ error: "access_denied" });
    expect(await table.run(...read(projectId, "dump.mbox"))).toMatchObject({ error: "access_denied" });
  });

  test("4.1: what .scoutsignore or .gitignore names is kept from agents, whichever way they ask", async () => {
    const { table, projectId, projectAudit } = setting({
      ".scoutsignore": "diary/\n",
      ".gitignore": "*.log\n",
      "diary/may.md": "canary",
      "build.log": "canary",
      "plan.md": "no bird",
    });
    for (const path of ["diary/may.md", "./diary/../diary/may.md", "build.log"]) {
      expect(await table.run(...read(projectId, path))).toEqual({ error: "access_denied", text: "Access denied" });
    }
    const lines = { project_id: projectId, path: "diary/may.md", startLine: 1, endLine: 1 };
    expect(await table.run("read_lines", lines)).toMatchObject({ error: "access_denied" });
    expect((await table.run("grep_files", { project_id: projectId, pattern: "canary" })).text).toBe(
      '{"filesMatched":0,"notes":["1 file of the project is not searched: the policy asks before reading, or denies it."]}',
    );
    const listed = await table.run("list_files", { project_id: projectId });
    expect(listed.text).not.toMatch(/diary|may\.md/);
    expect((await table.run(...read(projectId, "plan.md"))).error).toBeUndefined();
    expect((await projectAudit()).filter(({ decision }) => decision === "deny")).toHaveLength(4);
  });

  test("a missing file is not found, by its escaped name", async () => {
    const { table, projectId } = setting({});
    expect(await table.run(...read(projectId, "a\n<b>.md"))).toEqual({
      error: "file_not_found",
      text: 'File not found: "a\\n\\u003cb\\u003e.md"',
    });
    expect(await table.run(...read(projectId, "a.pdf"))).toMatchObject({ error: "file_not_found" });
  });

  test("a folder that is gone is not found, and found again when it is back", async () => {
    const { table, projectId, root } = setting({ "a.md": "text" });
    rmSync(root, { recursive: true });
    expect(await table.run(...read(projectId, "a.md"))).toMatchObject({ error: "folder_not_found" });
    mkdirSync(root);
    writeFileSync(join(root, "a.md"), "text again");
    expect((await table.run(...read(projectId, "a.md"))).text).toContain("text again");
  });

  test("a long text is cut and says what is missing", async () => {
    const { table, projectId } = setting({ "long.txt": `${"word ".repeat(20)}\n`.repeat(2_000) });
    const { text } = await table.run(...read(projectId, "long.txt"));
    expect(text.length).toBeLessThan(26_000);
    expect(text).toContain("Characters 0 to 24000 of 202000.");
  });

  test("a file of very many short lines is begun", async () => {
    const { table, projectId } = setting({ "words.txt": "a\n".repeat(5_000) });
    const { text, error } = await table.run(...read(projectId, "words.txt"));
    expect(error).toBeUndefined();
    expect(text).toContain('"lines":"1-2000 of 5000"');
  });

  test("an image comes as base64 with its type, and what the manifest says of it", async () => {
    const png = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64",
    );
    const { table, projectId } = setting({ "dot.png": png });
    expect(await table.run(...read(projectId, "dot.png"))).toEqual({
      text: `{"path":"dot.png","mimeType":"image/png"}\n${png.toString("base64")}`,
      filesRead: [{ projectId, path: "dot.png" }],
    });
  });

  test("a document comes as its text; one without says why", async () => {
    const { table, projectId } = setting(
      { "plan.pdf": "%PDF", "locked.docx": "x" },
      {
        extract: async ({ kind }) =>
          kind === "pdf"
            ? { outcome: "text", text: "The plan", tokens: 2, redactions: 0 }
            : { outcome: "failed", reason: "encrypted" },
      },
    );
    expect((await table.run(...read(projectId, "plan.pdf"))).text).toBe(
      '{"path":"plan.pdf","extracted":true}\nThe plan',
    );
    expect(await table.run(...read(projectId, "locked.docx"))).toEqual({
      error: "unreadable",
      text: 'Could not extract text: "locked.docx" is protected by a password.',
    });
  });
});

describe("6.2: tools run on the device, from one table", () => {
  test("what is not in the table is not done, and is in the device's trail", async () => {
    const { table, deviceAudit, root } = setting({ "a.md": "text" });
    for (const action of ["write_file", "apply_patch", "rollback", "exec", "__proto__", "constructor", ""]) {
      expect(await table.run(action, { path: "a.md", content: "overwritten" })).toMatchObject({
        error: "action_unknown",
      });
    }
    expect(readFileSync(join(root, "a.md"), "utf8")).toBe("text");
    expect(deviceAudit().map(({ outcome }) => outcome)).toEqual(Array(7).fill("action_unknown"));
    expect(deviceAudit()[0]).toMatchObject({ caller: "agent:home", session: "run_x", tool: "write_file" });
  });

  test("P3: no action of the table changes the folder", async () => {
    const { table, projectId, root } = setting({ "a.md": "one\ntwo\n", "b/c.md": "three" });
    const inputs: Record<string, object> = {
      read_project_folder_file: { relative_path: "a.md" },
      list_files: {},
      read_lines: { path: "a.md", startLine: 1, endLine: 2 },
      grep_files: { pattern: "two" },
      search_content: { query: "two" },
    };
    const before = readdirSync(root, { recursive: true }).sort();
    const isOfItem = (name: string) =>
      ["read_item", "read_attachments", "list_projects", "recall", "run_tool"].includes(name);
    const isOfFolder = (name: string) =>
      !name.startsWith("artifact_") && !Object.hasOwn(workTools, name) && !isOfItem(name);
    for (const action of deviceActionNames.filter(isOfFolder)) {
      const isAboutAll = action === "list_projects_with_folder_manifests";
      const result = await table.run(action, isAboutAll ? {} : { project_id: projectId, ...inputs[action] });
      expect([action, result.error]).toEqual([action, undefined]);
    }
    expect(readdirSync(root, { recursive: true }).sort()).toEqual(before);
    expect(readFileSync(join(root, "a.md"), "utf8")).toBe("one\ntwo\n");
  });

  test("arguments that are not what the action takes are refused, with the reason", async () => {
    const { table, projectId, deviceAudit } = setting({});
    expect(await table.run("read_lines", { project_id: projectId, path: "a.md" })).toMatchObject({
      error: "invalid_arguments",
      text: expect.stringContaining("startLine"),
    });
    expect(await table.run("read_project_folder_manifest", { project_id: "x" })).toMatchObject({
      error: "invalid_arguments",
    });
    expect(await table.run("list_files", { project_id: projectId, exec: "rm" })).toMatchObject({
      error: "invalid_arguments",
    });
    expect(deviceAudit()).toHaveLength(3);
  });

  test("files are listed and searched within the project", async () => {
    const { table, projectId } = setting({
      "README.md": "Tomatoes\n",
      "beds/a.md": "more tomatoes\n",
      ".env": "tomatoes",
    });
    const listed = await table.run("list_files", { project_id: projectId });
    expect(listed.text.split("\n").slice(1)).toEqual(['".env"', '"README.md" 9 bytes doc', '"beds/a.md" 14 bytes doc']);
    const found = await table.run("grep_files", { project_id: projectId, pattern: "tomatoes", ignoreCase: true });
    expect(found.text).toContain('"README.md":1: Tomatoes\n"beds/a.md":1: more tomatoes');
    expect(found.filesRead).toEqual(["README.md", "beds/a.md"].map((path) => ({ projectId, path })));
    expect(found.text).not.toContain(".env");
    expect(await table.run("list_files", { project_id: projectId, path: ".." })).toMatchObject({
      error: "access_denied",
    });
    expect(await table.run("grep_files", { project_id: projectId, pattern: "x", paths: ["../x"] })).toMatchObject({
      error: "access_denied",
    });
  });

  test("4.3: reading a manifest that is out of date asks for a scan and answers at once", async () => {
    const stale: string[] = [];
    const { table, projectId, deviceAudit } = setting({ "a.md": "new" }, { onStale: (id) => stale.push(id) });
    const { text } = await table.run("read_project_folder_manifest", { project_id: projectId });
    expect(text).toContain("No scan has ended yet.");
    expect(stale).toEqual([projectId]);
    expect(deviceAudit()[0]).toMatchObject({ tool: "read_project_folder_manifest", outcome: "ok" });
  });

  test("a long result is cut when it can be kept nowhere", async () => {
    const lines = Array.from({ length: 3_000 }, (_, at) => `match number ${at} with some words behind it`).join("\n");
    const { table, projectId } = setting({ "a.txt": lines });
    const cut = await table.run("grep_files", { project_id: projectId, pattern: "match", maxMatches: 2_000 });
    expect(cut.text).toMatch(/\[\d+ more characters are not shown; ask for a part of it\]$/);
    expect(await table.run("artifact_list", {})).toMatchObject({ error: "refused" });
  });
});
