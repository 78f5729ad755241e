import { appendFileSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { FsProjectFiles } from "../../../device/files/backends/fs/fs-project-files.ts";
import { compareWithDisk } from "../../../device/folders/manifest/compare-with-disk.ts";
import { scanLimits } from "../../../device/folders/scanner/limits.ts";
import type { ScanResult } from "../../../device/folders/scanner/scan-project.ts";
import { type StartScanOptions, startScan } from "../../../device/folders/scanner/start-scan.ts";
import type { DeviceStore } from "../../../device/store/open.ts";
import type { ProjectId } from "../../../events/ids.ts";
import { seededRandom } from "../../../infra/standins/seeded-random.ts";
import { rounds } from "../../rounds.ts";
import { temporaryStore } from "../setting.ts";
import { type LinkedFolder, linkedFolder, settledNow } from "./setting.ts";

const tree = {
  "README.md": "read me",
  "a/one.md": "one",
  "a/two.md": "two",
  "a/tool.bin": "x",
  "a/deep/three.md": "three",
  "b/four.md": "four",
  "b/.gitignore": "drafts/\n*.log.md",
  "b/drafts/five.md": "five",
};

/** The parts of the folder that a scan walks; "all" for all of it. */
async function scanned(
  folder: LinkedFolder,
  options: Partial<StartScanOptions> = {},
): Promise<{ result: ScanResult; walked: string[] }> {
  const walked: string[] = [];
  const openFiles = (path: string) => {
    const files = new FsProjectFiles(path, { ripgrep: false });
    const walk = files.walk.bind(files);
    files.walk = (options) => {
      walked.push(options?.under ?? "all");
      return walk(options);
    };
    return files;
  };
  return { result: await folder.scan({ ...options, openFiles }), walked };
}

describe("4.1: of a folder that was scanned, only directories that have changed are walked", () => {
  test.each<[string, string[], Partial<ScanResult>, (root: string) => void]>([
    [
      "a file was written to",
      ["a"],
      { changedFiles: ["a/one.md"] },
      (root) => appendFileSync(join(root, "a/one.md"), "!"),
    ],
    [
      "a file was added at the top",
      [""],
      { newFiles: ["new.md"] },
      (root) => writeFileSync(join(root, "new.md"), "new"),
    ],
    [
      "a directory was added",
      ["a"],
      { newFiles: ["a/new/x/y.md"] },
      (root) => {
        mkdirSync(join(root, "a/new/x"), { recursive: true });
        writeFileSync(join(root, "a/new/x/y.md"), "y");
      },
    ],
    [
      "a directory is gone, with what lay below it",
      [""],
      { deletedFiles: ["a/deep/three.md", "a/one.md", "a/two.md"] },
      (root) => rmSync(join(root, "a"), { recursive: true }),
    ],
    [
      "a file moved from one directory to another",
      ["a", "b"],
      { renamedFiles: [{ from: "a/one.md", to: "b/one.md" }] },
      (root) => renameSync(join(root, "a/one.md"), join(root, "b/one.md")),
    ],
    [
      "a directory became a link to itself elsewhere",
      ["", "b"],
      { deletedFiles: ["a/deep/three.md"] },
      (root) => {
        renameSync(join(root, "a/deep"), join(root, "b/drafts/deep"));
        symlinkSync(join(root, "b/drafts/deep"), join(root, "a/deep"));
        // At the top as well, so that two directories have changed.
        writeFileSync(join(root, "server.sock"), "");
      },
    ],
  ])("%s", async (name, walked, changes, change) => {
    const folder = linkedFolder(tree);
    await folder.scan();
    change(folder.root);
    const found = await scanned(folder);
    expect(found.result).toMatchObject(changes);
    const isLink = name.includes("link");
    expect(found.walked).toEqual(isLink ? ["", "a"] : walked);
    expect((await scanned(folder)).walked).toEqual([]);
  });

  test.each([".gitignore", ".scoutsignore", "a/.gitignore", "b/.gitignore"])(
    "all of it is walked when %s has changed",
    async (path) => {
      const folder = linkedFolder(tree);
      await folder.scan();
      folder.write(path, "three.md\n");
      const { walked } = await scanned(folder);
      expect(walked).toContain("all");
    },
  );

  test("all of it is walked when there are more files than a project may have: the order of all decides which", async () => {
    const folder = linkedFolder(tree);
    const limits = { ...scanLimits, maxFiles: 5 };
    await folder.scan({ limits });
    folder.write("a/new.md", "new");
    expect((await scanned(folder, { limits })).walked).toEqual(["a", "all"]);
  });

  test("a scan that walks a part, and one that walks all, come to the same, whatever was changed", async () => {
    let parts = 0;
    for (let seed = 1; seed <= rounds(60); seed++) {
      const folder = linkedFolder(tree);
      const twin = twinOf(folder);
      const random = seededRandom(seed);
      await folder.scan();
      await twin.scan();
      for (let round = 0; round < 6; round++) {
        for (let changes = 1 + Math.floor(random() * 3); changes > 0; changes--) change(folder.root, random);
        const { wantsScan } = await compareWithDisk(folder.store, new FsProjectFiles(folder.root), folder.project.id);
        const { result, walked } = await scanned(folder);
        if (!walked.includes("all")) parts++;
        const whole = await twin.scan();
        const at = `seed ${seed}, round ${round}`;
        expect({ at, ...inOrder(result) }).toEqual({ at, ...inOrder(whole) });
        expect({ at, rows: rowsOf(folder.store, folder.project.id) }).toEqual({
          at,
          rows: rowsOf(twin.store, twin.id),
        });
        const { newFiles, changedFiles, deletedFiles, renamedFiles } = result;
        const changed = newFiles.length + changedFiles.length + deletedFiles.length + renamedFiles.length;
        if (changed > 0) expect({ at, wantsScan }).toEqual({ at, wantsScan: true });
      }
    }
    expect(parts).toBeGreaterThan(0);
  });
});

/** The same folder in a store of its own, all of which every scan walks. */
function twinOf({ root }: LinkedFolder) {
  const store = temporaryStore();
  const { id } = store.projects.add("twin");
  store.projects.link(id, root);
  return {
    store,
    id,
    async scan(): Promise<ScanResult> {
      store.folderSnapshots.remove(id);
      const started = await startScan({ store, projectId: id, now: settledNow });
      started.finish({ status: "completed" });
      return started.result;
    },
  };
}

const inOrder = ({ deletedFiles, toSummarize, ...result }: ScanResult) => ({
  ...result,
  deletedFiles: deletedFiles.toSorted(),
  toSummarize: toSummarize.map(({ relPath, contentHash }) => [relPath, contentHash]),
});

const rowsOf = (store: DeviceStore, id: ProjectId) =>
  store.folderFiles
    .list(id)
    .map(({ relativePath, version, contentHash, kind, skipReason }) => [
      ...[relativePath, version, contentHash, kind, skipReason],
    ]);

const names = ["a", "b", "c", "a/deep", "b/drafts", "c/d", "a/new/er"];
const endings = ["one.md", "two.md", "x.bin", "y.log.md", ".env", "empty.md", ".gitignore", ".scoutsignore"];

/** One thing that somebody does to a folder. */
function change(root: string, random: () => number): void {
  const pick = (from: readonly string[]): string => from[Math.floor(random() * from.length)] ?? "";
  const directory = join(root, pick(names));
  const file = join(directory, pick(endings));
  const what = random();
  const other = join(root, pick(names));
  const link = join(directory, "link");
  if (what < 0.2 && existsSync(file)) rmSync(file, { recursive: true });
  else if (what < 0.6) {
    mkdirSync(directory, { recursive: true });
    const content = file.endsWith("ignore")
      ? pick(["one.md\n", "drafts/\n", "!one.md\n"])
      : pick(["1", "two", "three"]);
    writeFileSync(file, file.endsWith("empty.md") ? "" : content);
  } else if (!existsSync(directory)) return;
  else if (what < 0.7) rmSync(directory, { recursive: true });
  else if (what < 0.9 && !existsSync(other) && existsSync(dirname(other)) && !other.startsWith(`${directory}/`))
    renameSync(directory, other);
  else if (!existsSync(link)) symlinkSync(directory, link);
}
