import { execFileSync } from "node:child_process";
import { chmodSync, linkSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, test } from "vitest";
import { accessRules } from "../../../device/access/policy/rules.ts";
import { FsProjectFiles } from "../../../device/files/backends/fs/fs-project-files.ts";
import { contentHash } from "../../../device/files/content-hash.ts";
import { ProjectFilesError } from "../../../device/files/errors.ts";
import type { FileMetadata } from "../../../device/files/file-metadata.ts";
import type { HashingFiles } from "../../../device/files/hashed-file.ts";
import type { ProjectFiles } from "../../../device/files/project-files.ts";
import { scanLimits } from "../../../device/folders/scanner/limits.ts";
import { rounds } from "../../rounds.ts";
import { linkedFolder } from "./setting.ts";

const isRoot = process.getuid?.() === 0;
const paths = (folder: ReturnType<typeof linkedFolder>) =>
  folder.store.folderFiles.list(folder.project.id).map(({ relativePath }) => relativePath);

/** The same files, one method of them another: a change no snapshot knows of, so they compare none. */
const altered = (change: (files: ProjectFiles) => Partial<ProjectFiles>) => (path: string) => {
  const files = new FsProjectFiles(path);
  const changed = change(files);
  const { read = files.read.bind(files), metadata = files.metadata.bind(files) } = changed;
  // What a scan reads in one opening is what it would read and ask in two.
  const hash: HashingFiles["hash"] = async (file, maxBytes) => {
    const bytes = await read(file, { maxBytes });
    return { hash: contentHash(bytes), readBytes: bytes.length, metadata: await metadata(file) };
  };
  const changes = { ...changed, hash };
  return new Proxy<ProjectFiles>(files, {
    has: (target, property) => property !== "changesSince" && property in target,
    get(target, property) {
      const value: unknown = Reflect.get(property in changes ? changes : target, property);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
};

describe("4.1: whatever is left out is counted by reason", () => {
  test("types that are not read, by extension; only so many are told apart", async () => {
    const folder = linkedFolder({ "a.exe": "1", "b.EXE": "2", "c.zip": "3", noext: "4", ".hidden": "5", "ok.md": "6" });
    const { skipped } = await folder.scan();
    expect(skipped).toEqual({ byReason: { unsupported: 5 }, unsupported: { exe: 2, zip: 1, "": 2 } });
    const limits = { ...scanLimits, maxCountedTypes: 2 };
    const few = (await folder.scan({ limits })).skipped.unsupported;
    expect(Object.values(few).reduce((sum, count) => sum + count, 0)).toBe(5);
    expect(Object.keys(few)).toHaveLength(3);
    expect(few["*"]).toBeGreaterThan(0);
  });

  test("files of 0 bytes and files over the cap of their type, 5 GB among them, without being opened", async () => {
    const folder = linkedFolder({ "empty.md": "" });
    for (const [name, size] of [
      ["huge.md", 5 * 1024 ** 3],
      ["over.md", 1024 ** 2 + 1],
      ["over.png", 5 * 1024 ** 2 + 1],
    ] as const) {
      folder.write(name, "");
      truncateSync(join(folder.root, name), size);
    }
    const result = await folder.scan();
    expect(result.skipped.byReason).toEqual({ empty: 1, too_large: 3 });
    expect(folder.opened).toEqual([]);
    expect(result).toMatchObject({ newFiles: [], toSummarize: [], totalFiles: 4 });
    expect((await folder.scan()).skipped.byReason).toEqual({ empty: 1, too_large: 3 });
    folder.write("over.md", "small again");
    expect((await folder.scan()).toSummarize).toMatchObject([{ relPath: "over.md" }]);
  });

  test("files and depth beyond the caps; time: what was not looked at stays", async () => {
    const folder = linkedFolder({ "a.md": "1", "b.md": "2", "c/d/e.md": "3", "z.md": "4" });
    await folder.scan();
    const limits = { ...scanLimits, maxDepth: 2, maxFiles: 2 };
    const result = await folder.scan({ limits });
    expect(result.totalFiles).toBe(4);
    const fresh = linkedFolder({ "a.md": "1", "b.md": "2", "c/d/e.md": "3", "z.md": "4" });
    expect((await fresh.scan({ limits: { ...limits, maxFiles: 9 } })).skipped.byReason).toEqual({ too_deep: 1 });
    expect((await linkedFolder({ "a.md": "1", "b.md": "2", "z.md": "4" }).scan({ limits })).skipped.byReason).toEqual({
      too_many: 1,
    });
    rmSync(join(folder.root, "a.md"));
    rmSync(join(folder.root, "z.md"));
    const cut = await folder.scan({ limits: { ...scanLimits, maxEntries: 1 } });
    expect(cut).toMatchObject({ limitedBy: "entries", deletedFiles: ["a.md"] });
    expect(paths(folder)).toEqual(["b.md", "c/d/e.md", "z.md"]);
  });

  test("symlinks, out of the folder, in circles and to files within; pipes; hard links are files", async () => {
    const folder = linkedFolder({ "a.md": "a", "sub/b.md": "b" });
    symlinkSync("/etc/passwd", join(folder.root, "out.md"));
    symlinkSync("..", join(folder.root, "sub/loop"));
    symlinkSync("self", join(folder.root, "self"));
    symlinkSync("a.md", join(folder.root, "link.md"));
    linkSync(join(folder.root, "a.md"), join(folder.root, "hard.md"));
    if (process.platform !== "win32") execFileSync("mkfifo", [join(folder.root, "pipe.md")]);
    const { skipped } = await folder.scan();
    expect(paths(folder)).toEqual(["a.md", "hard.md", "sub/b.md"]);
    expect(skipped.byReason).toEqual({ symlink: 4, ...(process.platform === "win32" ? {} : { special: 1 }) });
  });

  test.skipIf(isRoot)("files and folders without permission; what was known of them stays", async () => {
    const folder = linkedFolder({ "a.md": "a", "closed/b.md": "b", "c.md": "c" });
    folder.summarize(await folder.scan());
    chmodSync(join(folder.root, "a.md"), 0);
    chmodSync(join(folder.root, "closed"), 0);
    const result = await folder.scan();
    chmodSync(join(folder.root, "closed"), 0o700);
    expect(result.skipped.byReason).toEqual({ permission_denied: 1, unreadable_folders: 1 });
    expect(folder.manifest()).toEqual([
      "a.md skipped about a.md",
      "c.md text about c.md",
      "closed/b.md text about closed/b.md",
    ]);
  });

  test("a file without permission is skipped, tried again, and as it was once it can be read", async () => {
    const folder = linkedFolder({ "a.md": "a" });
    folder.summarize(await folder.scan());
    const openFiles = altered((files) => ({
      walk: (options) => withEntries(files, options, (metadata) => ({ ...metadata, version: "other" })),
      read: async (path) => {
        throw new ProjectFilesError("AccessDenied", { path });
      },
    }));
    for (let again = 0; again < 2; again++) {
      expect((await folder.scan({ openFiles })).skipped.byReason).toEqual({ permission_denied: 1 });
      expect(folder.manifest()).toEqual(["a.md skipped about a.md"]);
    }
    expect((await folder.scan()).toSummarize).toEqual([]);
    expect(folder.manifest()).toEqual(["a.md text about a.md"]);
  });

  test("a folder that cannot be listed says nothing about its files", async () => {
    const folder = linkedFolder({ "a.md": "a", "closed/b.md": "b" });
    await folder.scan();
    rmSync(join(folder.root, "a.md"));
    const openFiles = altered((files) => {
      const omitted = { ...files.walk().omitted, unreadable: 1 };
      return {
        walk: () => ({ omitted, async *[Symbol.asyncIterator]() {} }),
        listDir: async (path) => {
          if (path === "closed") throw new ProjectFilesError("AccessDenied", { path });
          return files.listDir(path);
        },
      };
    });
    expect((await folder.scan({ openFiles })).deletedFiles).toEqual(["a.md"]);
    expect(paths(folder)).toEqual(["closed/b.md"]);
  });

  test.each([
    ["darwin", 10],
    ["win32", 5_000],
  ] as const)("placeholders of a cloud drive on %s are not fetched", async (platform, size) => {
    const folder = linkedFolder({ "a.md": "x".repeat(size) });
    const openFiles = altered((files) => ({
      walk: (options) => withEntries(files, options, (metadata) => ({ ...metadata, allocatedBytes: 0 })),
      read: async () => {
        throw new Error("it was fetched");
      },
    }));
    expect((await folder.scan({ openFiles, platform })).skipped.byReason).toEqual({ placeholder: 1 });
    expect((await folder.scan({ platform })).toSummarize).toMatchObject([{ relPath: "a.md" }]);
    // Sent to the cloud after it was read: it is the same file.
    const evicted = altered((files) => ({
      ...openFiles,
      walk: (options) =>
        withEntries(files, options, (metadata) => ({ ...metadata, allocatedBytes: 0, version: "evicted" })),
      read: async () => {
        throw new Error("it was fetched");
      },
    }));
    expect(await folder.scan({ openFiles: evicted, platform })).toMatchObject({ unchanged: 1, changedFiles: [] });
  });
});

async function* mapped(
  files: ProjectFiles,
  options: Parameters<ProjectFiles["walk"]>[0],
  change: (metadata: FileMetadata) => FileMetadata,
) {
  for await (const { path, metadata } of files.walk(options))
    yield { path, ...(metadata && { metadata: change(metadata) }) };
}

function withEntries(
  files: ProjectFiles,
  options: Parameters<ProjectFiles["walk"]>[0],
  change: (metadata: FileMetadata) => FileMetadata,
): ReturnType<ProjectFiles["walk"]> {
  return { omitted: files.walk(options).omitted, [Symbol.asyncIterator]: () => mapped(files, options, change) };
}

describe("4.1: a file that changes while it is read", () => {
  test("is read until content and times belong together", async () => {
    const folder = linkedFolder({ "a.md": "first" });
    let reads = 0;
    const openFiles = altered((files) => ({
      read: async (path, options) => {
        const bytes = await files.read(path, options);
        if (++reads === 1) writeFileSync(join(folder.root, "a.md"), "second, longer");
        return bytes;
      },
    }));
    await folder.scan({ openFiles });
    expect(folder.store.folderFiles.find(folder.project.id, "a.md")).toMatchObject({ sizeBytes: 14 });
    expect(reads).toBe(2);
    expect((await folder.scan()).changedFiles).toEqual([]);
  });

  test("is left for the next scan when it does not come to rest", async () => {
    const folder = linkedFolder({ "a.md": "0" });
    let reads = 0;
    const openFiles = altered((files) => ({
      read: async (path, options) => {
        const bytes = await files.read(path, options);
        writeFileSync(join(folder.root, "a.md"), "x".repeat(++reads + 1));
        return bytes;
      },
    }));
    expect((await folder.scan({ openFiles })).skipped.byReason).toEqual({ unstable: 1 });
    expect((await folder.scan()).toSummarize).toMatchObject([{ relPath: "a.md" }]);
  });

  test("and one that is gone when it is to be read is deleted", async () => {
    const folder = linkedFolder({ "a.md": "0", "b.md": "1" });
    await folder.scan();
    folder.write("a.md", "changed");
    const openFiles = altered(() => ({
      read: async (path) => {
        throw new ProjectFilesError("NotFound", { path });
      },
    }));
    expect(await folder.scan({ openFiles })).toMatchObject({
      deletedFiles: ["a.md"],
      skipped: { byReason: { vanished: 1 } },
    });
    expect(paths(folder)).toEqual(["b.md"]);
  });

  test("a sector that cannot be read is one file's affair", async () => {
    const folder = linkedFolder({ "a.md": "0", "b.md": "1" });
    const openFiles = altered((files) => ({
      read: async (path, options) => {
        if (path === "a.md") throw new ProjectFilesError("StorageFailed", { path });
        return files.read(path, options);
      },
    }));
    const result = await folder.scan({ openFiles });
    expect(result).toMatchObject({ newFiles: ["b.md"], skipped: { byReason: { unreadable_disk: 1 } } });
  });
});

describe("4.1: ignore files", () => {
  test("what git ignores is ignored, at every level, with negation (asked of git itself)", async () => {
    const folder = linkedFolder({
      ".gitignore": "*.log.md\n/build/\ndocs/*\n!docs/keep.md\n**/cache/\n",
      "a.md": "1",
      "x.log.md": "1",
      "build/a.md": "1",
      "deep/build/a.md": "1",
      "docs/a.md": "1",
      "docs/keep.md": "1",
      "deep/cache/a.md": "1",
      "deep/.gitignore": "!x.log.md\n*.tmp.md\n",
      "deep/x.log.md": "1",
      "deep/b.tmp.md": "1",
      "deep/er/c.tmp.md": "1",
      "deep/er/.gitignore": "!c.tmp.md\n",
    });
    execFileSync("git", ["init", "-q", folder.root]);
    const listed = execFileSync("git", ["-C", folder.root, "ls-files", "--others", "--exclude-standard", "-z"]);
    const wanted = listed
      .toString()
      .split("\0")
      .filter((path) => path.endsWith(".md"));
    await folder.scan();
    expect(paths(folder)).toEqual(wanted.sort());
    expect(wanted).toContain("deep/er/c.tmp.md");
  });

  test("a file that becomes ignored leaves the manifest, and comes back", async () => {
    const folder = linkedFolder({ "a.md": "1", "b/c.md": "2" });
    await folder.scan();
    folder.write(".gitignore", "b/");
    expect((await folder.scan()).deletedFiles).toEqual(["b/c.md"]);
    rmSync(join(folder.root, ".gitignore"));
    expect((await folder.scan()).newFiles).toEqual(["b/c.md"]);
  });

  test(".scoutsignore leaves out what .gitignore lets in, at every level, and git's negation does not undo it", async () => {
    const folder = linkedFolder({
      ".scoutsignore": "private/\n*.draft.md\n!wanted.draft.md\n",
      ".gitignore": "ignored.md\n",
      "sub/.gitignore": "!*.draft.md\n",
      "sub/.scoutsignore": "!a.draft.md\nx.md\n!ignored.md\n",
      "private/a.md": "1",
      "sub/private/a.md": "1",
      "a.draft.md": "1",
      "wanted.draft.md": "1",
      "sub/a.draft.md": "1",
      "sub/b.draft.md": "1",
      "sub/x.md": "1",
      "x.md": "1",
      "sub/ignored.md": "1",
    });
    await folder.scan();
    expect(paths(folder)).toEqual(["sub/a.draft.md", "wanted.draft.md", "x.md"]);
  });

  test("fails closed: a .scoutsignore that cannot be read leaves its folder out", async () => {
    const folder = linkedFolder({ "sub/a.md": "1", "b.md": "2" });
    mkdirSync(join(folder.root, "sub/.scoutsignore"));
    const { skipped } = await folder.scan();
    expect(paths(folder)).toEqual(["b.md"]);
    expect(skipped.byReason).toEqual({ unreadable_folders: 1 });
    mkdirSync(join(folder.root, ".scoutsignore"));
    await expect(folder.scan()).rejects.toMatchObject({ code: "folder_unreadable" });
    expect(paths(folder)).toEqual(["b.md"]);
  });
});

describe("4.1: secrets and access rules", () => {
  test("files that are made to hold credentials are not opened, whatever their type", async () => {
    const folder = linkedFolder({
      ".env": "1",
      ".env.production": "1",
      "config/secrets.yaml": "1",
      "credentials.json": "1",
      id_rsa: "1",
      "server.pem": "1",
      "deploy/SERVICE-ACCOUNT-prod.json": "1",
      ".ssh/config.txt": "1",
      ".aws/credentials": "1",
      "main.tfvars": "1",
      "notes.md": "1",
      ".env.example": "1",
    });
    const { skipped } = await folder.scan();
    expect(folder.opened).toEqual(["notes.md"]);
    expect(paths(folder)).toEqual(["notes.md"]);
    expect(skipped.byReason).toEqual({ secret: 10, unsupported: 1 });
  });

  test("what a person's rules deny or want to be asked about is not opened, and leaves when the rules change", async () => {
    const folder = linkedFolder({ "open.md": "1", "diary/a.md": "2", "asks/b.md": "3" });
    await folder.scan();
    const rules = [accessRules.parse({ read: { deny: ["diary/**"], ask: ["asks/**"] } })];
    const result = await folder.scan({ rules });
    expect(result).toMatchObject({ deletedFiles: ["asks/b.md", "diary/a.md"], skipped: { byReason: { denied: 2 } } });
    expect(paths(folder)).toEqual(["open.md"]);
    expect((await folder.scan()).newFiles).toEqual(["asks/b.md", "diary/a.md"]);
  });

  test("rules that come with the project count; rules that cannot be understood let nothing be read", async () => {
    const folder = linkedFolder({ "a.md": "1", "b.md": "2" });
    folder.write(".scouts.json", JSON.stringify({ read: { deny: ["b.md"] } }));
    await folder.scan();
    expect(paths(folder)).toEqual([".scouts.json", "a.md"]);
    folder.write(".scouts.json", "{ nonsense");
    await expect(folder.scan()).rejects.toMatchObject({ code: "folder_unreadable" });
  });
});

describe("4.1: names", () => {
  test("newlines, quotes, brackets, emoji, NBSP, NFC beside NFD: each is its own file and found again", async () => {
    const names = [
      "a\nb.md",
      "q\"uo'te.md",
      "[...slug].md",
      "👩‍🌾.md",
      "n\u00a0b.md",
      "caf\u00e9.md",
      "cafe\u0301.md",
      " lead.md",
    ];
    const folder = linkedFolder(Object.fromEntries(names.map((name) => [name, name])));
    folder.summarize(await folder.scan());
    expect(new Set(paths(folder))).toEqual(new Set(names));
    const again = await folder.scan();
    expect(again).toMatchObject({ unchanged: names.length, newFiles: [], deletedFiles: [] });
  });

  test.skipIf(process.platform !== "linux")("names that are not valid text are counted", async () => {
    const folder = linkedFolder({ "a.md": "1" });
    writeFileSync(Buffer.concat([Buffer.from(`${folder.root}/`), Buffer.from([0xff, 0xfe]), Buffer.from(".md")]), "1");
    expect((await folder.scan()).skipped.byReason).toEqual({ unaddressable: 1 });
  });
});

const many = rounds(20_000);

test(`${many} files in one folder`, async () => {
  const folder = linkedFolder();
  for (let n = 0; n < many; n++) writeFileSync(join(folder.root, `f${n}.md`), `${n}`);
  const progress: string[] = [];
  const result = await folder.scan({ onProgress: ({ phase }) => void progress.push(phase) });
  expect(result.newFiles).toHaveLength(many);
  expect(new Set(progress)).toEqual(new Set(["look", "read"]));
  expect(await folder.scan()).toMatchObject({ unchanged: many, newFiles: [] });
  expect(folder.opened).toEqual([]);
}, 240_000);
