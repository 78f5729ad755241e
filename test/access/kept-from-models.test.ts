import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openPersonSession } from "../../device/access/person-session.ts";
import { servedClient } from "./mcp-client.ts";
import { setting, temporaryFolder } from "./setting.ts";

const canary = "mango-canary-4711";
const files = {
  ".scoutsignore": "diary/\n*.draft.md\n",
  "diary/may.md": `${canary}\n`,
  "readme.draft.md": `${canary}\n`,
  "README.md": "# Garden\n",
};

function folder(): string {
  const root = temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

test("a client of MCP is told of no file that .scoutsignore names: not by the map, a list, a search, a resource or its name", async () => {
  const served = await servedClient({ root: folder(), dataFolder: temporaryFolder(), name: "Garden" });
  const { client, call, resource } = served;
  const told = [
    client.getInstructions() ?? "",
    await resource("scouts-session:///start"),
    JSON.stringify(await client.listResources()),
    (await call("list_files", {})).text,
    (await call("grep_files", { pattern: canary })).text,
  ];
  for (const text of told) expect(text).not.toMatch(/may\.md|draft\.md|mango-canary.*:/);
  for (const path of ["diary/may.md", "readme.draft.md", "diary/none.md"]) {
    const { text } = await call("read_file", { path });
    expect(text).toContain('"denied"');
    expect(text).not.toContain(canary);
  }
  expect(client.getInstructions()).toContain("# Garden");
});

test.each([
  ["read_file", (path: string) => ({ path })],
  ["read_lines", (path: string) => ({ path, startLine: 1, endLine: 2 })],
  ["get_excerpt", (path: string) => ({ path })],
  ["list_files", (path: string) => ({ path })],
  ["file_history", (path: string) => ({ path })],
  ["write_file", (path: string) => ({ path, content: "x\n" })],
  ["apply_patch", (path: string) => ({ patch: `*** Begin Patch\n*** Delete File: ${path}\n*** End Patch\n` })],
])("%s says of a folder that .scoutsignore names what it says where there is none", async (tool, argsFor) => {
  const { access, session } = await setting({ ...files, ".scoutsignore": "diary/\nnone/\n" });
  const said = async (path: string) => {
    const outcome = await access.call(session, tool, argsFor(path));
    return outcome.ok ? "given" : [outcome.error.code, outcome.error.message.replaceAll(path, "…")];
  };

  expect(await said("diary")).toEqual(["denied", expect.stringContaining(".scoutsignore keeps it from models")]);
  expect(await said("none")).toEqual(await said("diary"));
});

test("a file of a name that .scoutsignore keeps for folders is read as it is listed", async () => {
  const { access, session } = await setting({ ...files, "notes/diary": "no folder\n" });
  expect(JSON.stringify(await access.call(session, "list_files", {}))).toContain("notes/diary");
  expect(await access.call(session, "read_file", { path: "notes/diary" })).toMatchObject({ ok: true });
});

test("no model writes a .scoutsignore, nor puts one elsewhere that takes back what another says; the person may", async () => {
  const { access, session, text } = await setting(files);
  for (const path of [".scoutsignore", "diary/.scoutsignore", "sub/.ScoutsIgnore"]) {
    const outcome = await access.call(session, "write_file", { path, content: "!*\n" });
    expect(outcome).toMatchObject({ ok: false, error: { code: "denied" } });
  }
  const patch = "*** Begin Patch\n*** Delete File: .scoutsignore\n*** End Patch\n";
  expect(await access.call(session, "apply_patch", { patch })).toMatchObject({ ok: false, error: { code: "denied" } });
  expect(await text(".scoutsignore")).toBe(files[".scoutsignore"]);

  const person = openPersonSession(access);
  expect(await access.call(person, "read_file", { path: ".scoutsignore" })).toMatchObject({ ok: true });
  const own = { path: ".scoutsignore", content: "*.draft.md\n" };
  expect(await access.call(person, "write_file", own)).toMatchObject({ ok: true });
  // By the next call it holds.
  expect(await access.call(session, "read_file", { path: "diary/may.md" })).toMatchObject({ ok: true });
});

test("the person opens, lists, searches and changes their own file that is kept from scouts", async () => {
  const { access } = await setting(files);
  const person = openPersonSession(access);
  expect(await access.call(person, "read_file", { path: "diary/may.md" })).toMatchObject({ ok: true });
  expect(JSON.stringify(await access.call(person, "list_files", {}))).toContain("diary/may.md");
  expect(JSON.stringify(await access.call(person, "grep_files", { pattern: canary }))).toContain("diary/may.md");
  const write = { path: "diary/may.md", content: "rain\n" };
  expect(await access.call(person, "write_file", write)).toMatchObject({ ok: true });
});

test("a .scoutsignore that cannot be read closes its folder, and the answer says so", async () => {
  const { access, session } = await setting({ ...files, ".scoutsignore": "", "diary/.scoutsignore/x": "no text\n" });
  expect(await access.call(session, "read_file", { path: "diary/may.md" })).toMatchObject({
    ok: false,
    error: { code: "denied", message: expect.stringContaining("cannot be read, and closes its folder") },
  });
  expect(await access.call(session, "read_file", { path: "README.md" })).toMatchObject({ ok: true });
});
