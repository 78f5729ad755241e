import { copyFileSync, mkdirSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { linkedFolder, touch } from "./setting.ts";

const hour = 3_600_000;

describe("4.1: what a scan finds", () => {
  test("a first scan has every file of a known type, and each wants a summary", async () => {
    const folder = linkedFolder({ "README.md": "# Garden", "src/main.ts": "export {};", "photo.bin": "x" });
    const result = await folder.scan();
    expect(result).toMatchObject({
      newFiles: ["README.md", "src/main.ts"],
      changedFiles: [],
      renamedFiles: [],
      deletedFiles: [],
      unchanged: 0,
      totalFiles: 2,
    });
    expect(result.toSummarize).toMatchObject([
      { relPath: "README.md", kind: "text", sizeBytes: 8 },
      { relPath: "src/main.ts", kind: "text", sizeBytes: 10 },
    ]);
    expect(folder.store.folderFiles.list(folder.project.id)).toMatchObject([
      { relativePath: "README.md", ext: "md", tag: "doc", summary: null },
      { relativePath: "src/main.ts", ext: "ts", tag: "code", summary: null },
    ]);
  });

  test("a rescan in which nothing changed opens nothing and wants nothing", async () => {
    const folder = linkedFolder({ "a.md": "a", "b/c.md": "c", "e.md": "" });
    folder.summarize(await folder.scan());
    const result = await folder.scan();
    expect(folder.opened).toEqual([]);
    expect(result).toMatchObject({ newFiles: [], changedFiles: [], deletedFiles: [], unchanged: 3, toSummarize: [] });
  });

  test("what was not summarised is wanted again, also what failed; what cannot be read is not", async () => {
    const folder = linkedFolder({ "done.md": "1", "undone.md": "2", "failed.md": "3", "locked.pdf": "4" });
    const first = await folder.scan();
    const { store, project } = folder;
    const of = (path: string) => first.toSummarize.find(({ relPath }) => relPath === path)?.contentHash ?? "";
    folder.summarize({ ...first, toSummarize: first.toSummarize.filter(({ relPath }) => relPath === "done.md") });
    store.folderFiles.setError(project.id, "failed.md", of("failed.md"), "model_unavailable");
    store.folderFiles.setSkipped(project.id, "locked.pdf", of("locked.pdf"), "encrypted");
    const again = await folder.scan();
    expect(again.toSummarize.map(({ relPath }) => relPath)).toEqual(["failed.md", "undone.md"]);
    expect(again.skipped.byReason).toEqual({ encrypted: 1 });
    expect(folder.manifest()).toEqual([
      "done.md text about done.md",
      "failed.md error null",
      "locked.pdf skipped Could not extract text",
      "undone.md text null",
    ]);
  });

  test.each([
    ["later", hour],
    ["earlier", -hour],
  ])("new content is noticed when its time is %s than before", async (_, offsetMs) => {
    const folder = linkedFolder({ "a.md": "before" });
    folder.summarize(await folder.scan());
    const { mtimeMs } = statSync(join(folder.root, "a.md"));
    folder.write("a.md", "behind");
    touch(folder, "a.md", mtimeMs + offsetMs);
    const result = await folder.scan();
    expect(result.changedFiles).toEqual(["a.md"]);
    expect(result.toSummarize.map(({ relPath }) => relPath)).toEqual(["a.md"]);
    // The old summary stays until there is a new one: stale is better than nothing.
    expect(folder.manifest()).toEqual(["a.md text about a.md"]);
  });

  test("new content of the same size under the old time is noticed by the change time or the inode", async () => {
    const folder = linkedFolder({ "a.md": "before" });
    await folder.scan();
    const { mtimeMs } = statSync(join(folder.root, "a.md"));
    folder.write("new", "behind");
    renameSync(join(folder.root, "new"), join(folder.root, "a.md"));
    touch(folder, "a.md", mtimeMs);
    expect((await folder.scan()).changedFiles).toEqual(["a.md"]);
  });

  test("the same content under another time costs no tokens: only the row's times change", async () => {
    const folder = linkedFolder({ "a.md": "as ever" });
    folder.summarize(await folder.scan());
    touch(folder, "a.md", 1_000_000_000_123);
    expect(await folder.scan()).toMatchObject({ changedFiles: [], unchanged: 1, toSummarize: [] });
    expect(folder.store.folderFiles.find(folder.project.id, "a.md")).toMatchObject({
      mtimeMs: 1_000_000_000_123,
      summary: "about a.md",
    });
    await folder.scan();
    expect(folder.opened).toEqual([]);
  });

  test("a write in the same step of the disk's clock is not missed: what was changed just now is read again", async () => {
    const folder = linkedFolder({ "a.md": "before" });
    const { ctimeMs } = statSync(join(folder.root, "a.md"));
    await folder.scan({ now: () => Math.floor(ctimeMs) + 1_999 });
    expect(folder.store.folderFiles.find(folder.project.id, "a.md")?.version).toBe("");
    await folder.scan({ now: () => Math.ceil(ctimeMs) + 2_000 });
    expect(folder.opened).toEqual(["a.md"]);
    await folder.scan();
    expect(folder.opened).toEqual([]);
  });

  test("a deleted file leaves the manifest", async () => {
    const folder = linkedFolder({ "a.md": "a", "b/c.md": "c" });
    await folder.scan();
    rmSync(join(folder.root, "b"), { recursive: true });
    expect((await folder.scan()).deletedFiles).toEqual(["b/c.md"]);
    expect(folder.manifest()).toEqual(["a.md text null"]);
  });
});

describe("4.1: a moved or copied file costs no tokens", () => {
  test("moved", async () => {
    const folder = linkedFolder({ "a.md": "a", "old/b.md": "b" });
    folder.summarize(await folder.scan());
    mkdirSync(join(folder.root, "new"));
    renameSync(join(folder.root, "old/b.md"), join(folder.root, "new/b2.md"));
    expect(await folder.scan()).toMatchObject({
      newFiles: [],
      renamedFiles: [{ from: "old/b.md", to: "new/b2.md" }],
      deletedFiles: [],
      toSummarize: [],
    });
    expect(folder.manifest()).toEqual(["a.md text about a.md", "new/b2.md text about old/b.md"]);
  });

  test("a folder moved whole, with files of the same content in it", async () => {
    const tree = Object.fromEntries(["x", "y", "z"].map((name) => [`old/${name}/LICENSE`, "the same for all"]));
    const folder = linkedFolder(tree);
    folder.summarize(await folder.scan());
    renameSync(join(folder.root, "old"), join(folder.root, "new"));
    const result = await folder.scan();
    expect(result).toMatchObject({ newFiles: [], deletedFiles: [], toSummarize: [] });
    expect(result.renamedFiles).toHaveLength(3);
  });

  test("copied: the summary with it, the tag by its own path", async () => {
    const folder = linkedFolder({ "src/a.ts": "const a = 1;" });
    folder.summarize(await folder.scan());
    mkdirSync(join(folder.root, "test"));
    copyFileSync(join(folder.root, "src/a.ts"), join(folder.root, "test/a.ts"));
    expect(await folder.scan()).toMatchObject({ newFiles: ["test/a.ts"], toSummarize: [] });
    expect(folder.store.folderFiles.list(folder.project.id)).toMatchObject([
      { relativePath: "src/a.ts", tag: "code", summary: "about src/a.ts" },
      { relativePath: "test/a.ts", tag: "test", summary: "about src/a.ts" },
    ]);
  });

  test("two files that swapped their content swap their summaries", async () => {
    const folder = linkedFolder({ "a.md": "1", "b.md": "2" });
    folder.summarize(await folder.scan());
    folder.write("a.md", "2");
    folder.write("b.md", "1");
    expect(await folder.scan()).toMatchObject({ changedFiles: ["a.md", "b.md"], toSummarize: [] });
    expect(folder.manifest()).toEqual(["a.md text about b.md", "b.md text about a.md"]);
  });

  test("several new files with the same content are summarised once", async () => {
    const folder = linkedFolder({ "a.md": "same", "b.md": "same", "c.md": "other" });
    const result = await folder.scan();
    expect(result.toSummarize.map(({ relPath }) => relPath)).toEqual(["a.md", "c.md"]);
    folder.summarize(result);
    expect(folder.manifest()).toEqual(["a.md text about a.md", "b.md text about a.md", "c.md text about c.md"]);
  });

  test("a moved file that could not be read is known to be so", async () => {
    const folder = linkedFolder({ "a.pdf": "not a PDF" });
    const [file] = (await folder.scan()).toSummarize;
    folder.store.folderFiles.setSkipped(folder.project.id, "a.pdf", file?.contentHash ?? "", "corrupt");
    renameSync(join(folder.root, "a.pdf"), join(folder.root, "b.pdf"));
    expect(await folder.scan()).toMatchObject({ toSummarize: [], skipped: { byReason: { corrupt: 1 } } });
    expect(folder.manifest()).toEqual(["b.pdf skipped Could not extract text"]);
  });

  test("the same bytes under a type that is read differently are another file", async () => {
    const folder = linkedFolder({ "a.md": "%PDF" });
    folder.summarize(await folder.scan());
    renameSync(join(folder.root, "a.md"), join(folder.root, "a.pdf"));
    expect(await folder.scan()).toMatchObject({ newFiles: ["a.pdf"], deletedFiles: ["a.md"] });
  });
});

test("P2: after any sequence of changes the manifest is what is on the disk, and every summary is about its content", async () => {
  const path = fc.constantFrom("a.md", "b.md", "c/a.md", "c/d/e.md", "f.txt");
  const content = fc.constantFrom("one", "two", "three");
  const step = fc.oneof(
    fc.record({ do: fc.constant("write" as const), path, content }),
    fc.record({ do: fc.constant("remove" as const), path }),
    fc.record({ do: fc.constant("move" as const), path, to: path }),
    fc.record({ do: fc.constant("touch" as const), path, at: fc.integer({ min: 1, max: 2_000_000_000 }) }),
    fc.record({ do: fc.constant("scan" as const), summarize: fc.boolean() }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      const folder = linkedFolder();
      const disk = new Map<string, string>();
      for (const each of steps) {
        if (each.do === "write") {
          folder.write(each.path, each.content);
          disk.set(each.path, each.content);
        } else if (each.do === "scan") {
          const result = await folder.scan();
          if (each.summarize) summarizeByContent(folder, result, disk);
        } else {
          const held = disk.get(each.path);
          if (held === undefined) continue;
          const from = join(folder.root, each.path);
          if (each.do === "touch") utimesSync(from, each.at, each.at);
          if (each.do === "remove") rmSync(from);
          if (each.do === "move") {
            folder.write(each.to, held);
            if (each.to !== each.path) rmSync(from);
            disk.set(each.to, held);
          }
          if (each.do === "remove" || (each.do === "move" && each.to !== each.path)) disk.delete(each.path);
        }
      }
      const last = await folder.scan();
      summarizeByContent(folder, last, disk);
      const shown = folder.store.folderFiles.list(folder.project.id);
      expect(shown.map(({ relativePath, summary }) => [relativePath, summary])).toEqual(
        [...disk].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, text]) => [path, `says ${text}`]),
      );
      expect(last.totalFiles).toBe(disk.size);
    }),
    { numRuns: 40 },
  );
});

function summarizeByContent(
  folder: ReturnType<typeof linkedFolder>,
  result: Awaited<ReturnType<ReturnType<typeof linkedFolder>["scan"]>>,
  disk: ReadonlyMap<string, string>,
): void {
  for (const { relPath, contentHash, kind } of result.toSummarize) {
    const made = { kind, summary: `says ${disk.get(relPath)}`, tag: null, promptVersion: null };
    folder.store.folderFiles.setSummary(folder.project.id, relPath, contentHash, made);
  }
}
