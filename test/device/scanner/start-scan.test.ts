import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { DeviceError } from "../../../device/errors.ts";
import { FsProjectFiles } from "../../../device/files/backends/fs/fs-project-files.ts";
import { startScan } from "../../../device/folders/scanner/start-scan.ts";
import { settleAbandonedScans } from "../../../device/store/abandoned-scans.ts";
import { openDeviceStore } from "../../../device/store/open.ts";
import { systemTimeAndIds } from "../../../device/time-and-ids.ts";
import { quick } from "../../rounds.ts";
import { temporaryFolder } from "../setting.ts";
import { linkedFolder } from "./setting.ts";

const moduleUrl = (path: string) => JSON.stringify(new URL(`../../../device/${path}`, import.meta.url).href);

/** Begins a scan in a process of its own, which then waits to be killed. */
async function scanElsewhere(dataFolder: string, projectId: string) {
  const script = `
    import { openDeviceStore } from ${moduleUrl("store/open.ts")};
    import { startScan } from ${moduleUrl("folders/scanner/start-scan.ts")};
    import { systemTimeAndIds } from ${moduleUrl("time-and-ids.ts")};
    const store = openDeviceStore({ dataFolder: ${JSON.stringify(dataFolder)}, ...systemTimeAndIds });
    await startScan({ ...systemTimeAndIds, store, projectId: ${JSON.stringify(projectId)} });
    process.stdout.write("scanning");
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  return {
    async kill() {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}

describe("4.2: one scan of a project at a time", () => {
  test("a project that is being scanned refuses, until the scan is ended", async () => {
    const folder = linkedFolder({ "a.md": "a" });
    const started = await folder.start();
    expect(folder.store.projects.get(folder.project.id).folderLastScanStatus).toBe("scanning");
    await expect(folder.start()).rejects.toMatchObject({ code: "scan_running" });
    expect(started.holds()).toBe(true);
    expect(started.finish({ status: "completed" })).toBe(true);
    expect(folder.store.projects.get(folder.project.id)).toMatchObject({
      folderLastScanStatus: "idle",
      folderTotalFiles: 1,
      scanHolder: null,
    });
    (await folder.start()).finish({ status: "completed" });
  });

  test("a scan goes on saying that it is at work where the store could not be written for a moment", async () => {
    const begun = vi.spyOn(globalThis, "setInterval");
    const ended = vi.spyOn(globalThis, "clearInterval");
    onTestFinished(() => ended.mockRestore());
    const folder = linkedFolder({ "a.md": "a" });
    const starting = folder.start();
    const [extend] = begun.mock.calls[0] ?? [];
    const timer = begun.mock.results[0]?.value;
    begun.mockRestore();
    const started = await starting;
    vi.spyOn(folder.store.projects, "extendScan").mockImplementationOnce(() => {
      throw new DeviceError("store_busy");
    });
    extend?.();
    expect(ended).not.toHaveBeenCalledWith(timer);
    const { scanUntil: before } = folder.store.projects.get(folder.project.id);
    await setTimeout(2);
    extend?.();
    expect(folder.store.projects.get(folder.project.id).scanUntil).toBeGreaterThan(before ?? Number.POSITIVE_INFINITY);
    started.finish({ status: "completed" });
    expect(ended).toHaveBeenCalledWith(timer);
  });

  test("of two that begin at once one works and one is refused", async () => {
    const folder = linkedFolder({ "a.md": "a" });
    const both = await Promise.allSettled([folder.start(), folder.start()]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  test("another process's scan is respected while it lives, and taken over when it was killed", async () => {
    const root = temporaryFolder();
    writeFileSync(join(root, "a.md"), "a");
    const dataFolder = temporaryFolder();
    const store = openDeviceStore({ ...systemTimeAndIds, dataFolder });
    const { id } = store.projects.add("shared");
    store.projects.link(id, root);
    const other = await scanElsewhere(dataFolder, id);
    await expect(startScan({ ...systemTimeAndIds, store, projectId: id })).rejects.toMatchObject({
      code: "scan_running",
    });
    expect(settleAbandonedScans(store, Date.now())).toEqual([]);
    await other.kill();
    const started = await startScan({ ...systemTimeAndIds, store, projectId: id });
    // Nothing needs resuming: what the dead one found is there, and still wants its summary.
    expect(started.result).toMatchObject({ newFiles: [], toSummarize: [{ relPath: "a.md" }] });
    started.finish({ status: "completed" });
    expect(store.scoutRuns.list(id).map(({ status, errorCode }) => [status, errorCode])).toEqual([
      ["completed", null],
      ["error", "scan_interrupted"],
    ]);
    store.close();
  }, 240_000);

  test.skipIf(quick)(
    "a crash shows as an error to whoever looks next, also when the process's id is in use again",
    async () => {
      const root = temporaryFolder();
      writeFileSync(join(root, "a.md"), "a");
      const dataFolder = temporaryFolder();
      const store = openDeviceStore({ ...systemTimeAndIds, dataFolder });
      const { id } = store.projects.add("shared");
      store.projects.link(id, root);
      const other = await scanElsewhere(dataFolder, id);
      const whileItLives = openDeviceStore({ ...systemTimeAndIds, dataFolder });
      expect(whileItLives.projects.get(id).folderLastScanStatus).toBe("scanning");
      whileItLives.close();
      await other.kill();
      // As in a container, where the next process has the dead one's number.
      const database = new DatabaseSync(store.path);
      database.prepare("UPDATE projects SET scan_pid = ?").run(process.pid);
      database.close();
      const next = openDeviceStore({ ...systemTimeAndIds, dataFolder });
      expect(next.projects.get(id)).toMatchObject({
        folderLastScanStatus: "error",
        folderErrorCode: "scan_interrupted",
        folderErrorSentence: expect.stringContaining("interrupted"),
      });
      expect(next.scoutRuns.list(id)).toMatchObject([{ status: "error", errorCode: "scan_interrupted" }]);
      expect(readdirSync(join(dataFolder, "device", "scans"))).toEqual([]);
      next.close();
      store.close();
    },
    240_000,
  );

  test("a holder that was silent for five minutes is taken over, and then stores nothing", async () => {
    const folder = linkedFolder({ "a.md": "a" });
    const stuck = await folder.start({ now: () => 1_000_000 });
    await expect(folder.start({ now: () => 1_000_000 + 299_999 })).rejects.toMatchObject({ code: "scan_running" });
    const next = await folder.start({ now: () => 1_000_000 + 300_000 });
    expect(stuck.holds()).toBe(false);
    expect(stuck.finish({ status: "completed" })).toBe(false);
    expect(next.holds()).toBe(true);
    expect(folder.store.projects.get(folder.project.id).folderLastScanStatus).toBe("scanning");
    next.finish({ status: "completed" });
  });
});

describe("4.3: a scan that cannot be done", () => {
  test("a folder that is gone: a sentence with its path, status error, rows kept; back again, all is well", async () => {
    const folder = linkedFolder({ "a.md": "a" });
    folder.summarize(await folder.scan());
    const { store, project, root } = folder;
    renameSync(root, `${root}-away`);
    await expect(folder.start()).rejects.toMatchObject({
      code: "folder_not_found",
      message: `Folder not found: ${root}. Check how it is written, and that it is there.`,
    });
    expect(store.projects.get(project.id)).toMatchObject({
      folderLastScanStatus: "error",
      folderErrorCode: "folder_not_found",
      folderErrorSentence: `Folder not found: ${root}. Check how it is written, and that it is there.`,
      folderTotalFiles: 1,
    });
    expect(folder.manifest()).toEqual(["a.md text about a.md"]);
    expect(store.scoutRuns.list(project.id)[0]).toMatchObject({ status: "error", errorCode: "folder_not_found" });
    renameSync(`${root}-away`, root);
    expect(await folder.scan()).toMatchObject({ unchanged: 1, toSummarize: [] });
    expect(store.projects.get(project.id)).toMatchObject({ folderLastScanStatus: "idle", folderErrorCode: null });
  });

  test.each([
    ["removed", () => {}],
    ["unmounted, an empty folder in its place", (root: string) => void mkdirSync(root)],
  ])("a folder that is %s meanwhile: rows kept", async (_, after) => {
    const folder = linkedFolder({ "a.md": "a", "b.md": "b" });
    await folder.scan();
    folder.write("a.md", "changed");
    const away = join(temporaryFolder(), "away");
    const openFiles = (path: string) => {
      const files = new FsProjectFiles(path);
      const hash = files.hash.bind(files);
      files.hash = (...file) => {
        if (!existsSync(away)) {
          renameSync(folder.root, away);
          after(folder.root);
        }
        return hash(...file);
      };
      return files;
    };
    await expect(folder.start({ openFiles })).rejects.toMatchObject({ code: "folder_not_found" });
    expect(folder.manifest()).toHaveLength(2);
  });

  test("an empty folder in the place of the one that was read is a drive that is away: its files are kept, and known again", async () => {
    const folder = linkedFolder({ "a.md": "a", "b.md": "b" });
    folder.summarize(await folder.scan());
    const known = folder.manifest();
    const away = join(temporaryFolder(), "away");
    renameSync(folder.root, away);
    mkdirSync(folder.root);

    await expect(folder.scan()).rejects.toMatchObject({
      ...{ code: "folder_not_found", exact: { about: "emptied", values: { files: 2 } } },
      message: expect.stringContaining("is its drive connected?"),
    });
    expect(folder.manifest()).toEqual(known);

    rmSync(folder.root, { recursive: true });
    renameSync(away, folder.root);
    expect(await folder.scan()).toMatchObject({ deletedFiles: [], newFiles: [], toSummarize: [] });
    expect(folder.manifest()).toEqual(known);
  });

  test("a folder that was emptied by somebody has no files any more", async () => {
    const folder = linkedFolder({ "a.md": "a", "b.md": "b" });
    await folder.scan();
    for (const name of ["a.md", "b.md"]) rmSync(join(folder.root, name));

    expect(await folder.scan()).toMatchObject({ totalFiles: 0, deletedFiles: [{}, {}] });
  });

  test("no folder, no project", async () => {
    const folder = linkedFolder();
    const { store, project } = folder;
    store.projects.unlink(project.id);
    await expect(folder.start()).rejects.toMatchObject({ code: "folder_not_linked" });
    store.projects.remove(project.id);
    await expect(folder.start()).rejects.toMatchObject({ code: "project_unknown" });
  });

  test("unlinked while it is scanned: the scan is told and leaves no rows behind", async () => {
    const folder = linkedFolder({ "a.md": "a" });
    const { store, project } = folder;
    const onProgress = () => void store.projects.unlink(project.id);
    await expect(folder.start({ onProgress })).rejects.toMatchObject({ code: "scan_superseded" });
    expect(folder.manifest()).toEqual([]);
    expect(store.projects.get(project.id)).toMatchObject({ folderPath: null, folderLastScanStatus: "idle" });
  });

  test("cancelled: the project and the run say so, and the next scan goes on", async () => {
    const folder = linkedFolder({ "a.md": "a" });
    const stop = new AbortController();
    stop.abort();
    await expect(folder.start({ signal: stop.signal })).rejects.toMatchObject({ code: "scan_interrupted" });
    const { store, project } = folder;
    expect(store.projects.get(project.id).folderErrorCode).toBe("scan_interrupted");
    expect(store.scoutRuns.list(project.id)).toMatchObject([{ status: "cancelled" }]);
    expect((await folder.scan()).newFiles).toEqual(["a.md"]);
  });

  test("4.2: a session that ended early leaves its code and sentence with the project", async () => {
    const folder = linkedFolder({ "a.md": "a" });
    const started = await folder.start();
    const outcome = {
      status: "quota_exceeded",
      code: "folder_monthly_tokens",
      sentence: "Spent.",
      tokensUsed: 7,
    } as const;
    started.finish(outcome);
    started.finish({ status: "completed" });
    const { store, project } = folder;
    expect(store.projects.get(project.id)).toMatchObject({
      folderLastScanStatus: "error",
      folderErrorCode: "folder_monthly_tokens",
      folderErrorSentence: "Spent.",
    });
    expect(store.scoutRuns.list(project.id)).toMatchObject([{ status: "quota_exceeded", tokensUsed: 7, newFiles: 1 }]);
  });
});

test("3.5: each rescan writes what it found, file by file", async () => {
  const folder = linkedFolder({ "a.md": "a", "b.md": "b", "c.md": "c", "e.md": "" });
  folder.summarize(await folder.scan({ cause: "link" }));
  renameSync(join(folder.root, "a.md"), join(folder.root, "z.md"));
  rmSync(join(folder.root, "b.md"));
  folder.write("c.md", "changed");
  folder.write("copy.md", "a");
  folder.write("d.md", "new");
  await folder.scan({ cause: "daily" });
  const { store, project } = folder;
  const [second, first] = store.scoutRuns.list(project.id);
  expect(first).toMatchObject({ cause: "link", newFiles: 3, skippedFiles: 1, status: "completed" });
  expect(second).toMatchObject({ cause: "daily", newFiles: 2, changedFiles: 1, renamedFiles: 1, deletedFiles: 1 });
  const actions = second === undefined ? [] : store.scoutRuns.actions(second.id);
  expect(actions.map(({ action, relativePath, fromPath }) => [action, relativePath, fromPath]).sort()).toEqual([
    ["added", "d.md", null],
    ["changed", "c.md", null],
    ["copied", "z.md", "a.md"],
    ["removed", "b.md", null],
    ["renamed", "copy.md", "a.md"],
  ]);
});
