import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FsProjectFiles } from "../../device/files/backends/fs/fs-project-files.ts";
import { requireThere } from "../../device/folders/linked-away.ts";
import { servedClient } from "./mcp-client.ts";
import { setting, temporaryFolder } from "./setting.ts";

/** File access on a folder of the disk, of which one file has a history. */
async function folderWithHistory() {
  const outer = temporaryFolder();
  const [root, away] = [join(outer, "root"), join(outer, "away")];
  mkdirSync(root);
  writeFileSync(join(root, "kept.md"), "one\n");
  const access = await setting({}, { files: new FsProjectFiles(root, { ripgrep: false }) });
  await access.access.call(access.session, "read_file", { path: "kept.md" });
  await access.access.call(access.session, "write_file", { path: "kept.md", content: "two\n" });
  return { ...access, leaves: () => renameSync(root, away), comesBack: () => renameSync(away, root) };
}

test.each([
  ["list_files", {}],
  ["read_file", { path: "kept.md" }],
  ["read_lines", { path: "kept.md", startLine: 1, endLine: 1 }],
  ["get_excerpt", { path: "kept.md" }],
  ["grep_files", { pattern: "two" }],
  ["get_diff", { path: "kept.md" }],
  ["file_history", { path: "kept.md" }],
  ["write_file", { path: "new.md", content: "new\n", mode: "create" }],
  ["record_changes", {}],
  ["record_changes", { paths: ["kept.md"] }],
] as const)("%s of a folder that is away says that it is, and how it is brought back: %j", async (tool, args) => {
  const { access, session, leaves } = await folderWithHistory();
  leaves();

  const outcome = await access.call(session, tool, args);

  expect(outcome).toMatchObject({ ok: false, error: { code: "folder_not_found" } });
  expect(outcome.ok ? "" : outcome.error.message).toMatch(/bring it back.*scouts project link/i);
});

test("nothing in a folder that was away is taken for deleted", async () => {
  const { access, session, leaves, comesBack } = await folderWithHistory();
  leaves();
  await access.call(session, "record_changes", {});
  comesBack();

  expect(await access.call(session, "record_changes", {})).toMatchObject({ ok: true, result: { recorded: [] } });
  const history = await access.call(session, "file_history", { path: "kept.md" });
  expect(history).toMatchObject({ ok: true, result: { versions: [{ tool: "write_file" }, {}] } });
});

test("a project whose folder is away is told so, with the command that links it anew", () => {
  const folder = join(temporaryFolder(), "garden");

  expect(() => requireThere({ name: "Garden", folderPath: folder })).toThrow(
    expect.objectContaining({
      ...{ code: "folder_not_found", exact: { about: "linked", values: { path: folder, project: "Garden" } } },
      message: expect.stringMatching(
        /^Folder not found: .*garden\. Bring it back .*scouts project link Garden <folder>$/,
      ),
    }),
  );
  mkdirSync(folder);
  expect(() => requireThere({ name: "Garden", folderPath: folder })).not.toThrow();
});

test("a client of MCP that lists or begins while the folder is away is told so, with its code", async () => {
  const outer = temporaryFolder();
  const root = join(outer, "root");
  mkdirSync(root);
  writeFileSync(join(root, "README.md"), "# One\n");
  const { client, call } = await servedClient({ root, dataFolder: temporaryFolder() });
  await call("read_file", { path: "README.md" });
  renameSync(root, join(outer, "away"));

  const away = { data: { code: "folder_not_found" }, message: expect.stringMatching(/bring it back/i) };
  await expect(client.listResources()).rejects.toMatchObject(away);
  await expect(client.readResource({ uri: "scouts-session:///start" })).rejects.toMatchObject(away);
  await expect(client.readResource({ uri: "scouts-session:///current" })).rejects.toMatchObject(away);
  expect(await call("session_status")).toMatchObject({
    isError: true,
    text: expect.stringContaining("folder_not_found"),
  });
});
