import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openProject } from "../../device/access/open-project.ts";
import { rememberFolder } from "../../device/folders/indexer/link-folder.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { chooseWorkFolder } from "../../device/work/folder/work-folder.ts";
import { linkedFolder } from "../device/scanner/setting.ts";
import { temporaryStore } from "../device/setting.ts";
import { temporaryFolder } from "./setting.ts";

const key = "home-signing-words";

/** A project with this device's data folder in it, under a name of the person's own. */
async function projectAround(dataFolder: string, root: string, more: { approves?: boolean } = {}) {
  mkdirSync(join(dataFolder, "world", "push"), { recursive: true });
  writeFileSync(join(dataFolder, "world", "push", "signing-key.json"), `{"said": "${key}"}\n`);
  writeFileSync(join(root, "README.md"), `# Read ${key}\n`);
  const { approves = true } = more;
  const approver = { approve: async () => approves };
  const project = await openProject({ ...systemTimeAndIds, root, dataFolder, approver });
  const session = project.access.openSession({ caller: "agent", backend: "cloud" });
  return { ...project, call: (tool: string, args: unknown) => project.access.call(session, tool, args) };
}

describe("the device's data folder is closed by where it lies, whatever it is called", () => {
  test.each([
    ["its path", "my-home", (root: string) => join(root, "my-home")],
    ["a link to it", "my-home", (root: string, elsewhere: string) => linked(join(root, "my-home"), elsewhere)],
  ])("reading, listing, searching and writing, given %s", async (_, name, given) => {
    const root = temporaryFolder();
    mkdirSync(join(root, name), { recursive: true });
    const project = await projectAround(given(root, join(temporaryFolder(), "link")), root);
    const path = `${name}/world/push/signing-key.json`;
    symlinkSync(join(name, "world"), join(root, "looks-harmless"));

    for (const asked of [path, "looks-harmless/push/signing-key.json"]) {
      for (const tool of ["read_file", "get_excerpt", "summarize_file"]) {
        expect(await project.call(tool, { path: asked })).toMatchObject({ ok: false, error: { code: "denied" } });
      }
      const written = await project.call("write_file", { path: asked, content: "gone", mode: "truncate" });
      expect(written).toMatchObject({ ok: false, error: { code: "denied" } });
    }
    const made = await project.call("write_file", { path: `${name}/new.md`, content: "new", mode: "create" });
    expect(made).toMatchObject({ ok: false, error: { code: "denied" } });
    expect(await project.call("list_files", { path: `${name}/world` })).toMatchObject({ ok: false });
    const listed = await project.call("list_files", {});
    expect(JSON.stringify(listed)).toContain("README.md");
    expect(JSON.stringify(listed)).not.toContain("signing-key");
    const found = await project.call("grep_files", { pattern: key });
    expect(JSON.stringify(found)).toContain("README.md");
    expect(JSON.stringify(found)).not.toContain("signing-key");
    expect(project.access.kit.registry.list().map((entry) => entry.path)).toEqual(["README.md"]);
    expect(readFileSync(join(root, path), "utf8")).toContain(key);
    expect(existsSync(join(root, name, "new.md"))).toBe(false);
    project.close();
  });

  test("a project within it shows nothing at all", async () => {
    const dataFolder = temporaryFolder();
    const root = join(dataFolder, "world");
    mkdirSync(root, { recursive: true });
    const project = await projectAround(dataFolder, root);
    expect(await project.call("read_file", { path: "README.md" })).toMatchObject({ error: { code: "denied" } });
    expect(await project.call("list_files", {})).toMatchObject({ ok: false, error: { code: "denied" } });
    project.close();
  });

  test("a name that only begins alike is a file of the project's", async () => {
    const root = temporaryFolder();
    const project = await projectAround(join(root, "home"), root);
    writeFileSync(join(root, "home.md"), "open");
    expect(await project.call("read_file", { path: "home.md" })).toMatchObject({ ok: true });
    project.close();
  });

  test.each(["my-home", ".scouts", "sub/my-home"])(
    "a scan does not look into it, and counts it as left out: %s",
    async (at) => {
      const root = temporaryFolder();
      mkdirSync(join(root, at, ".."), { recursive: true });
      const store = temporaryStore(join(root, at));
      writeFileSync(join(root, at, "inside.md"), key);
      writeFileSync(join(root, "outside.md"), "outside");
      const folder = linkedFolder({}, store);
      store.projects.link(folder.project.id, root);
      const { newFiles, skipped } = await folder.scan();
      expect(newFiles).toEqual(["outside.md"]);
      expect(skipped.byReason).toEqual({ own_data: 1 });
      writeFileSync(join(root, "later.md"), "later");
      expect((await folder.scan()).skipped.byReason).toEqual({ own_data: 1 });
    },
  );
});

describe("the data folder is no project's folder", () => {
  test.each<[string, (dataFolder: string) => string]>([
    ["the data folder", (dataFolder) => dataFolder],
    ["a folder in it", (dataFolder) => join(dataFolder, "device")],
    ["a link to it", (dataFolder) => linked(dataFolder, join(temporaryFolder(), "link"))],
  ])("%s is refused to a project and as work folder", async (_, folderOf) => {
    const store = temporaryStore();
    const project = store.projects.add("Self");
    mkdirSync(join(store.dataFolder, "device"), { recursive: true });
    const folder = folderOf(store.dataFolder);
    const refused = { code: "usage", message: expect.stringContaining("data folder") };
    await expect(rememberFolder(store, project, folder)).rejects.toMatchObject(refused);
    expect(store.projects.get(project.id).folderPath).toBeNull();
    expect(() => chooseWorkFolder(store, folder)).toThrowError(expect.objectContaining(refused));
  });
});

function linked(target: string, link: string): string {
  symlinkSync(target, link);
  return link;
}
