import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { FsProjectFiles } from "../../device/files/backends/fs/fs-project-files.ts";
import { InMemoryProjectFiles } from "../../device/files/backends/in-memory-project-files.ts";
import { isStamping } from "../../device/files/snapshot/stamping-disks.ts";
import {
  comparesSnapshots,
  type DirectorySnapshot,
  directoryDigest,
  listingText,
} from "../../device/files/snapshot/tree-snapshot.ts";
import type { DirectoryStamp, ListedEntry } from "../../device/files/walk/walk-types.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { expectCode } from "./expect-code.ts";

const inTime = { maxDurationMs: 60_000, maxChanged: 100 };

/** A tree that is gone when the test is over; every file holds its own path. */
function treeOf(paths: readonly string[]): { root: string; files: FsProjectFiles } {
  const root = mkdtempSync(join(tmpdir(), "scouts-snapshot-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const path of paths) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), path);
  }
  return { root, files: new FsProjectFiles(root, { ripgrep: false }) };
}

/** @param listed with the listings of directories that say by their times that these still hold */
async function snapshotOf(
  files: FsProjectFiles,
  unwatched: readonly string[] = [],
  listed = false,
): Promise<DirectorySnapshot[]> {
  const directories: DirectorySnapshot[] = [];
  const note = (path: string, entries: readonly ListedEntry[], stamp?: DirectoryStamp) => {
    const digested = entries.map(({ name, kind, metadata }) => {
      if (metadata === undefined || unwatched.includes(name)) return { name, kind };
      const { inode, sizeBytes, mtimeMs, ctimeMs = 0 } = metadata;
      return { name, kind, watched: { inode: Number(inode), sizeBytes, mtimeMs, ctimeMs } };
    });
    const listing = listed && stamp && { stamp, entries: listingText(digested) };
    directories.push({ path, digest: directoryDigest(digested), unwatched, ...(listing && { listing }) });
  };
  for await (const _ of files.walk({ withMetadata: true, onDirectory: note }));
  return directories;
}

/** Waits until the disk's clock has moved on, so that whatever changes from now on has another time. */
function letDiskClockMove(): void {
  const probe = join(mkdtempSync(join(tmpdir(), "scouts-clock-")), "probe");
  const writtenAt = () => {
    writeFileSync(probe, "");
    return statSync(probe).ctimeMs;
  };
  const first = writtenAt();
  while (writtenAt() <= first + 10);
  rmSync(join(probe, ".."), { recursive: true });
}

const stampsHold = process.platform === "linux" && isStamping(statfsSync(tmpdir()).type);

test("a large tree is looked at by several threads, which together miss nothing", async () => {
  const { root, files } = treeOf(Array.from({ length: 8_500 }, (_, index) => `d${index}/a.md`));
  for (const index of [0, 8_499]) {
    const snapshot = await snapshotOf(files);
    expect(await files.changesSince(snapshot, inTime)).toEqual([]);
    utimesSync(join(root, `d${index}/a.md`), 1, 1);
    expect(await files.changesSince(snapshot, inTime)).toEqual([`d${index}`]);
  }
});

describe.each([
  ["by names", false],
  ["by directories' own times", true],
] as const)("a tree compared with its snapshot, %s", (_, listed) => {
  const paths = ["a.md", "empty.md", "b/c.md", "b/d/e.md", "log.txt"];
  const setUp = async () => {
    const { root, files } = treeOf(paths);
    writeFileSync(join(root, "empty.md"), "");
    letDiskClockMove();
    return { files, at: (path: string) => join(root, path), snapshot: await snapshotOf(files, ["log.txt"], listed) };
  };

  test("is as it was, however often it is looked at and whatever is done to a file that is not watched", async () => {
    const { files, at, snapshot } = await setUp();
    expect(snapshot.map(({ path }) => path)).toEqual(["", "b", "b/d"]);
    expect(await files.changesSince(snapshot, inTime)).toEqual([]);
    appendFileSync(at("log.txt"), "one more line");
    expect(await files.changesSince(snapshot, inTime)).toEqual([]);
  });

  type At = (path: string) => string;
  test.each<[string, string[], (at: At) => void]>([
    ["a file was written to", ["b/d"], (at) => appendFileSync(at("b/d/e.md"), "more")],
    [
      "a file has other content of the same size under the old time",
      [""],
      (at) => {
        const { atime, mtime } = statSync(at("a.md"));
        writeFileSync(at("new"), "b.md");
        renameSync(at("new"), at("a.md"));
        utimesSync(at("a.md"), atime, mtime);
      },
    ],
    ["a file was touched", [""], (at) => utimesSync(at("a.md"), 1, 1)],
    ["a file was added", ["b"], (at) => writeFileSync(at("b/new.md"), "new")],
    ["a file that is not watched is gone", [""], (at) => rmSync(at("log.txt"))],
    ["a file is gone", ["b"], (at) => rmSync(at("b/c.md"))],
    ["an empty folder was added", ["b/d"], (at) => mkdirSync(at("b/d/new"))],
    ["a folder is gone", ["b", "b/d"], (at) => rmSync(at("b/d"), { recursive: true })],
    ["a folder has another name", ["b", "b/d"], (at) => renameSync(at("b/d"), at("b/x"))],
    [
      "a folder is a link to where it is now",
      ["", "b"],
      (at) => {
        renameSync(at("b/d"), at("moved"));
        symlinkSync(at("moved"), at("b/d"));
      },
    ],
    [
      "two files have swapped their names",
      [""],
      (at) => {
        renameSync(at("a.md"), at("x"));
        renameSync(at("empty.md"), at("a.md"));
        renameSync(at("x"), at("empty.md"));
      },
    ],
    ["the root is gone", ["", "b", "b/d"], (at) => rmSync(at(""), { recursive: true })],
  ])("is not when %s, and it is said where: %s", async (_, where, change) => {
    const { files, at, snapshot } = await setUp();
    change(at);
    expect(await files.changesSince(snapshot, inTime)).toEqual(where);
    const fewer = { ...inTime, maxChanged: where.length - 1 };
    expect(await files.changesSince(snapshot, fewer)).toBeUndefined();
  });

  test.runIf(listed && stampsHold)("has no names read as long as a directory says that they are the same", async () => {
    const { files, at, snapshot } = await setUp();
    expect(snapshot.every(({ listing }) => listing !== undefined)).toBe(true);
    const oneNameLess = snapshot.map((directory) => {
      const entries = directory.listing?.entries.replace("c.md/f/", "") ?? "";
      const digest = directoryDigest([{ name: "d", kind: "directory" }]);
      return directory.path === "b" && directory.listing
        ? { ...directory, digest, listing: { ...directory.listing, entries } }
        : directory;
    });
    expect(await files.changesSince(oneNameLess, inTime)).toEqual([]);
    writeFileSync(at("b/new.md"), "new");
    rmSync(at("b/new.md"));
    expect(await files.changesSince(oneNameLess, inTime)).toEqual(["b"]);
    expect(await files.changesSince(snapshot, inTime)).toEqual([]);
  });

  test("is not known to be when time is up, and nothing is said after a cancellation", async () => {
    const { files } = treeOf(["a.md"]);
    const snapshot = await snapshotOf(files);
    expect(await files.changesSince(snapshot, { ...inTime, maxDurationMs: 0 })).toBeUndefined();
    await expectCode(files.changesSince(snapshot, { ...inTime, signal: AbortSignal.abort() }), "Cancelled");
  });

  test("backends that cannot compare do not claim to", () => {
    expect(comparesSnapshots(new InMemoryProjectFiles({}, systemTimeAndIds))).toBe(false);
  });
});

test.each([
  ["ext4", 0xef53, true],
  ["tmpfs", 0x01021994, true],
  ["NFS", 0x6969, false],
  ["FAT", 0x4d44, false],
  ["what a program mounts", 0x65735546, false],
])("a directory's own times are relied on where the disk keeps them: %s", (_, type, holds) => {
  expect(isStamping(type)).toBe(holds);
});

test("without descriptors there are no stamps: a path may lead elsewhere by now", async () => {
  const { root } = treeOf(["a.md"]);
  const files = new FsProjectFiles(root, { ripgrep: false, pins: false });
  expect(await snapshotOf(files, [], true)).toEqual([expect.not.objectContaining({ listing: expect.anything() })]);
});

test("a digest does not depend on the order of entries, and tells an empty file from one that is not watched", () => {
  const a = { name: "a", kind: "file", watched: { inode: 1, sizeBytes: 2, mtimeMs: 3, ctimeMs: 4 } } as const;
  const b = { name: "b", kind: "directory" } as const;
  expect(directoryDigest([a, b])).toBe(directoryDigest([b, a]));
  const nothing = { inode: 0, sizeBytes: 0, mtimeMs: 0, ctimeMs: 0 };
  expect(directoryDigest([{ name: "a", kind: "file", watched: nothing }])).not.toBe(
    directoryDigest([{ name: "a", kind: "file" }]),
  );
});
