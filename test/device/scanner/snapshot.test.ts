import { appendFileSync, mkdirSync, renameSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FsProjectFiles } from "../../../device/files/backends/fs/fs-project-files.ts";
import { isStamping } from "../../../device/files/snapshot/stamping-disks.ts";
import { compareWithDisk } from "../../../device/folders/manifest/compare-with-disk.ts";
import { type LinkedFolder, linkedFolder } from "./setting.ts";

const stampsHold = process.platform === "linux" && isStamping(statfsSync(tmpdir()).type);

/** What scans of a folder are seen to walk: all of it, or only what lies under some of its directories. */
function counted(folder: LinkedFolder): { walks: () => number; parts: string[]; scan: LinkedFolder["scan"] } {
  let walks = 0;
  const parts: string[] = [];
  const openFiles = (path: string) => {
    const files = new FsProjectFiles(path, { ripgrep: false });
    const walk = files.walk.bind(files);
    files.walk = (options) => {
      if (options?.under === undefined) walks++;
      else parts.push(options.under);
      return walk(options);
    };
    return files;
  };
  return { walks: () => walks, parts, scan: (options) => folder.scan({ ...options, openFiles }) };
}

describe("4.1: a folder that looks as the last scan left it", () => {
  test("is not walked, and is said to be what the last scan said", async () => {
    const folder = linkedFolder({
      "a.md": "a",
      "b/c.md": "c",
      "e.md": "",
      "x.bin": "x",
      ".gitignore": "d/",
      "d/f.md": "",
    });
    folder.summarize(await folder.scan());
    const { walks, parts, scan } = counted(folder);
    const again = await scan();
    expect(walks()).toBe(0);
    expect(parts).toEqual([]);
    expect(again).toMatchObject({ unchanged: 3, totalFiles: 3, newFiles: [], deletedFiles: [], toSummarize: [] });
    expect(again.skipped).toEqual({
      byReason: { empty: 1, ignored_folders: 1, unsupported: 2 },
      unsupported: { "": 1, bin: 1 },
    });
    expect(await compareWithDisk(folder.store, new FsProjectFiles(folder.root), folder.project.id)).toEqual({
      states: new Map(),
      wantsScan: false,
    });
  });

  test("is not walked either when only files of types that are not read have changed", async () => {
    const folder = linkedFolder({ "a.md": "a", "server.sock": "1" });
    await folder.scan();
    appendFileSync(join(folder.root, "server.sock"), "2");
    const { walks, scan } = counted(folder);
    expect((await scan()).unchanged).toBe(1);
    expect(walks()).toBe(0);
  });

  test.each([
    ["a rule of the folder", ".gitignore", "b.md"],
    ["a rule for scouts", ".scoutsignore", "b.md"],
    ["a rule of git's own for this clone", ".git/info/exclude", "b.md"],
    ["what may be read", ".scouts.json", '{"read":{"allow":[],"ask":[],"deny":["b.md"]}}'],
  ])("is walked when %s has changed", async (_, path, content) => {
    const folder = linkedFolder({ "a.md": "a", "b.md": "b", ".git/info/exclude": "" });
    await folder.scan();
    folder.write(path, content);
    await folder.scan();
    expect(folder.manifest()).toContain("a.md text null");
    expect(folder.manifest()).not.toContain("b.md text null");
  });

  test("is looked at again where there is a file that was changed too shortly before it was read", async () => {
    const folder = linkedFolder({ "a.md": "a", "b/b.md": "b" });
    await folder.scan();
    folder.write("b/b.md", "c");
    await folder.scan({ now: Date.now });
    const { walks, parts, scan } = counted(folder);
    await scan();
    expect(parts).toEqual(["b"]);
    await scan();
    expect(parts).toEqual(["b"]);
    expect(walks()).toBe(0);
  });

  test.runIf(stampsHold)(
    "has its names read again where they were changed too shortly before they were listed",
    async () => {
      const folder = linkedFolder({ "a.md": "a", "b/b.md": "b" });
      const listed = () =>
        folder.store.folderSnapshots
          .find(folder.project.id)
          ?.directories.flatMap(({ path, listing }) => (listing === undefined ? [] : path));
      const { ctimeMs } = statSync(join(folder.root, "b"));
      await folder.scan({ now: () => Math.trunc(ctimeMs) + 1_000 });
      expect(listed()).toEqual([]);
      folder.write("b/c.md", "c");
      await folder.scan();
      expect(listed()).toEqual(["", "b"]);
    },
  );

  test("is walked once more when its rules were changed so shortly before that they may change unseen", async () => {
    const folder = linkedFolder({ "a.md": "a", ".gitignore": "b.md" });
    await folder.scan();
    folder.write(".gitignore", "c.md");
    const { walks, scan } = counted(folder);
    const { ctimeMs } = statSync(join(folder.root, ".gitignore"));
    await scan({ now: () => Math.trunc(ctimeMs) + 1_000 });
    await scan();
    expect(walks()).toBe(2);
    await scan();
    expect(walks()).toBe(2);
  });

  test("is walked when a scan died between its changes and the end, whatever was undone since", async () => {
    const folder = linkedFolder({ "a/x.md": "x" });
    await folder.scan();
    const rename = (from: string, to: string) => renameSync(join(folder.root, from), join(folder.root, to));
    rename("a", "b");
    const { store } = folder;
    const dying = {
      ...store,
      folderSnapshots: {
        ...store.folderSnapshots,
        put: () => {
          throw new Error("killed");
        },
      },
    };
    await expect(folder.start({ store: dying })).rejects.toThrow();
    expect(folder.manifest()).toEqual(["b/x.md text null"]);
    rename("b", "a");
    await folder.scan();
    expect(folder.manifest()).toEqual(["a/x.md text null"]);
  });

  test("another folder under the same path is walked", async () => {
    const folder = linkedFolder({ "a/x.md": "x" });
    await folder.scan();
    renameSync(folder.root, `${folder.root}-moved`);
    mkdirSync(folder.root);
    renameSync(join(`${folder.root}-moved`, "a"), join(folder.root, "a"));
    writeFileSync(join(folder.root, "a", "y.md"), "y");
    expect((await folder.scan()).newFiles).toEqual(["a/y.md"]);
  });

  test("unlinking forgets what the folder looked like", async () => {
    const folder = linkedFolder({ "secret-project/x.md": "x" });
    await folder.scan();
    const { store, project } = folder;
    expect(store.folderSnapshots.find(project.id)?.directories.map(({ path }) => path)).toEqual(["", "secret-project"]);
    store.projects.unlink(project.id);
    expect(store.folderSnapshots.find(project.id)).toBeUndefined();
  });
});
