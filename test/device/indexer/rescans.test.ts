import { expect, test } from "vitest";
import { DeviceError, isDeviceError } from "../../../device/errors.ts";
import { linkFolder } from "../../../device/folders/indexer/link-folder.ts";
import type { Rescan, RescanOptions } from "../../../device/folders/indexer/rescan-project.ts";
import { createRescans, type RescansOptions } from "../../../device/folders/indexer/rescans.ts";
import { indexPath, openIndexToWrite } from "../../../device/knowledge/index/index-file.ts";
import { settleAbandonedScans } from "../../../device/store/abandoned-scans.ts";
import { ScoutsError } from "../../../events/errors.ts";
import type { ProjectId } from "../../../events/ids.ts";
import { ownContent } from "../../own-content.ts";
import { ManualClock } from "../manual-clock.ts";
import { temporaryStore } from "../setting.ts";

const hourMs = 3_600_000;
const startMs = Date.UTC(2026, 10, 20);

/** Two projects whose folders were never scanned, and scans that end when they are told to. */
function setting(options: Partial<RescansOptions> = {}) {
  const clock = new ManualClock(startMs);
  const store = temporaryStore(undefined, () => clock.now());
  const [first, second] = ["a", "b"].map((name) => {
    const { id } = store.projects.add(name);
    store.projects.link(id, `/folders/${name}`);
    store.localScouts.put(id);
    // Ids of one millisecond are in no order.
    clock.advance(1);
    return id;
  });
  if (first === undefined || second === undefined) throw new Error("unreachable");
  const begun: { projectId: ProjectId; cause: string | undefined; end: () => void; fail: (error: Error) => void }[] =
    [];
  const rescan = ({ projectId, cause, signal }: RescanOptions): Promise<Rescan> => {
    const ended = Promise.withResolvers<Rescan>();
    const holder = `scan-${begun.length}`;
    store.projects.beginScan(projectId, { holder, pid: process.pid, until: Number.MAX_SAFE_INTEGER }, () => false);
    const end = () => {
      store.projects.endScan(projectId, holder, { status: "idle", totalFiles: 0 });
      ended.resolve({ project: store.projects.get(projectId) } as Rescan);
    };
    const fail = (error: Error) => {
      store.projects.endScan(projectId, holder, {
        status: "error",
        code: isDeviceError(error) ? error.code : "internal",
        sentence: "",
      });
      ended.reject(error);
    };
    signal?.addEventListener("abort", () => fail(new DeviceError("scan_interrupted")), { once: true });
    begun.push({ projectId, cause, end, fail });
    return ended.promise;
  };
  const api = { apiUrl: "http://127.0.0.1:1/", auth: async () => "token" };
  const rescans = createRescans({ store, api, ...ownContent(store, api), clock, rescan, ...options });
  return { clock, store, first, second, begun, rescans };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test.each(["ticket_unavailable", "connection_lost", "issuer_unusable", "home_not_running", "answer_overdue"] as const)(
  "a scan that ended as the home was away (%s) goes on when it is there again, else within an hour",
  async (code) => {
    const { clock, first, begun, rescans } = setting();
    rescans.start();
    for (const at of [0, 1]) {
      begun[at]?.end();
      await turn();
    }
    rescans.homeIsThere();
    expect(begun).toHaveLength(2);

    rescans.rescanInBackground(first, "manual");
    begun[2]?.fail(new DeviceError(code));
    await turn();
    rescans.homeIsThere();
    expect(begun.slice(3)).toMatchObject([{ projectId: first, cause: "daily" }]);
    begun[3]?.fail(new DeviceError(code));
    await turn();
    clock.advance(hourMs);
    expect(begun.slice(4)).toMatchObject([{ projectId: first, cause: "daily" }]);
    begun[4]?.fail(new DeviceError("folder_not_found"));
    await turn();
    rescans.homeIsThere();
    clock.advance(hourMs);
    expect(begun).toHaveLength(5);
    await rescans.close();
  },
);

test("what is due is scanned at the start, one folder at a time, and again after a day", async () => {
  const { clock, first, second, begun, rescans } = setting();
  rescans.start();
  expect(begun).toMatchObject([{ projectId: first, cause: "daily" }]);
  begun[0]?.end();
  await turn();
  expect(begun.slice(1)).toMatchObject([{ projectId: second, cause: "daily" }]);
  begun[1]?.end();
  await rescans.whenIdle();

  clock.advance(23 * hourMs);
  expect(begun).toHaveLength(2);
  clock.advance(hourMs);
  expect(begun.slice(2)).toMatchObject([{ projectId: first, cause: "daily" }]);
});

test("what an older program has read is read again at the start, before its day is over, and once", async () => {
  const { clock, store, first, second, begun, rescans } = setting();
  for (const id of [first, second]) {
    store.projects.beginScan(id, { holder: "before", pid: 1, until: clock.now() + hourMs }, () => false);
    store.projects.endScan(id, "before", { status: "idle", totalFiles: 0 });
  }
  openIndexToWrite(indexPath(store.dataFolder, second)).connection.close();
  rescans.start();
  expect(begun).toMatchObject([{ projectId: second, cause: "daily" }]);
  begun[0]?.end();
  await rescans.whenIdle();
  clock.advance(hourMs);
  expect(begun).toHaveLength(1);
});

test("a stale manifest begins a scan in the background; asked for twice while it waits, it is scanned once", async () => {
  const { first, second, begun, rescans } = setting();
  rescans.rescanInBackground(first);
  for (const _ of [1, 2]) rescans.rescanInBackground(second);
  expect(begun).toMatchObject([{ projectId: first, cause: "stale" }]);
  begun[0]?.end();
  await turn();
  begun[1]?.end();
  await rescans.whenIdle();
  expect(begun.map(({ projectId }) => projectId)).toEqual([first, second]);
});

test("a scan that fails is told, and the next folder has its turn", async () => {
  const problems: [string, ProjectId | undefined][] = [];
  const { first, second, begun, rescans } = setting({
    onProblem: (error, projectId) => problems.push([error.message, projectId]),
  });
  rescans.start();
  begun[0]?.fail(new DeviceError("folder_not_found", { sentence: "Folder not found: /folders/a" }));
  await turn();
  expect(problems).toEqual([["Folder not found: /folders/a", first]]);
  expect(begun[1]).toMatchObject({ projectId: second });
});

test("a folder that is being scanned elsewhere is left alone", () => {
  const { store, first, second, begun, rescans } = setting();
  const elsewhere = { holder: "elsewhere", pid: process.pid, until: Number.MAX_SAFE_INTEGER };
  store.scanLocks.hold(elsewhere.holder);
  store.projects.beginScan(first, elsewhere, () => false);
  rescans.start();
  expect(begun).toMatchObject([{ projectId: second }]);
});

/** A folder that was scanned, and whose later scans ended as they are told to before they were done. */
function withScansCutOff(ends: readonly ("killed" | "stopped")[]) {
  const made = setting();
  const { clock, store, first, second } = made;
  for (const id of [first, second]) {
    store.projects.beginScan(id, { holder: "whole", pid: 1, until: clock.now() + hourMs }, () => false);
    store.projects.endScan(id, "whole", { status: "idle", totalFiles: 0 });
  }
  for (const end of ends) {
    clock.advance(1);
    store.projects.beginScan(first, { holder: end, pid: 1, until: clock.now() + hourMs }, () => false);
    const { id } = store.scoutRuns.start(first, "manual");
    const code = "scan_interrupted";
    if (end === "killed") settleAbandonedScans(store, clock.now());
    else {
      store.scoutRuns.update(id, { status: "cancelled", errorCode: code, endedAt: clock.now() });
      store.projects.endScan(first, end, { status: "error", code, sentence: "" });
    }
  }
  made.rescans.start();
  return made.begun.map(({ projectId }) => projectId === first);
}

test("a scan whose program was killed goes on when a home looks, and not a day later", () => {
  expect(withScansCutOff(["killed"])).toEqual([true]);
  expect(withScansCutOff(["stopped", "killed"])).toEqual([true]);
});

test("one that somebody stopped, or that is killed each time, waits for its day", () => {
  expect(withScansCutOff(["stopped"])).toEqual([]);
  expect(withScansCutOff(["killed", "killed"])).toEqual([]);
});

test("closing cancels the scan that runs and begins no other", async () => {
  const { clock, second, begun, rescans } = setting();
  rescans.start();
  await rescans.close();
  rescans.rescanInBackground(second);
  clock.advance(48 * hourMs);
  await turn();
  expect(begun).toHaveLength(1);
});

test("a folder that does not exist is refused before anything is asked", async () => {
  const { store, first } = setting();
  const api = { apiUrl: "http://127.0.0.1:1/", auth: async () => "token" };
  const linking = linkFolder({
    store,
    api,
    projectId: first,
    folderPath: "/folders/nowhere",
    ...ownContent(store, api),
  });
  await expect(linking).rejects.toMatchObject({ code: "folder_not_found" });
  expect(store.projects.get(first).folderPath).toBe("/folders/a");
});

test("4.2: files that wait for the month's tokens are taken up within an hour of there being some, not before", async () => {
  let isOver = true;
  const checkQuota = async () => {
    if (isOver) throw new ScoutsError("folder_monthly_tokens", { data: { tier: "free", limit: 100_000 } });
    return { tier: "free" as const, maxFiles: 200, monthlyTokens: 100_000, used: 0, resetsAt: startMs };
  };
  const problems: Error[] = [];
  const { clock, store, first, second, begun, rescans } = setting({
    checkQuota,
    onProblem: (error) => problems.push(error),
  });
  store.projects.unlink(second);
  store.scoutRuns.start(first, "link");
  store.projects.beginScan(first, { holder: "h", pid: 1, until: Number.MAX_SAFE_INTEGER }, () => false);
  store.projects.endScan(first, "h", { status: "error", code: "quota_exceeded", sentence: "" });
  rescans.start();
  await rescans.whenIdle();
  clock.advance(hourMs);
  await rescans.whenIdle();
  expect([begun, problems]).toEqual([[], []]);
  isOver = false;
  clock.advance(hourMs);
  await turn();
  expect(begun).toMatchObject([{ projectId: first, cause: "daily" }]);
});

test("whoever listens is told when a scan has ended, well or not, and is told no more when that was ended", async () => {
  const { first, second, begun, rescans } = setting();
  let told = 0;
  const stop = rescans.onScan(() => {
    told += 1;
  });
  rescans.rescanInBackground(first, "manual");
  expect(begun).toMatchObject([{ projectId: first, cause: "manual" }]);
  begun[0]?.end();
  await rescans.whenIdle();
  expect(told).toBe(1);
  rescans.rescanInBackground(second);
  begun[1]?.fail(new DeviceError("folder_unreadable"));
  await rescans.whenIdle();
  expect(told).toBe(2);
  stop();
  rescans.rescanInBackground(first);
  begun[2]?.end();
  await rescans.whenIdle();
  expect(told).toBe(2);
});

test("a scan can be ended alone, whether it runs or waits; the next one goes on, and each says how far it is", async () => {
  const told: string[] = [];
  const { first, second, begun, rescans } = setting({ onProblem: () => {} });
  rescans.onScan(() => told.push("changed"));
  rescans.rescanInBackground(first);
  rescans.rescanInBackground(second);
  expect([first, second].map((id) => rescans.scanOf(id))).toEqual([{ phase: "wait" }, { phase: "wait" }]);
  expect(rescans.cancel(second)).toBe(true);
  expect(rescans.scanOf(second)).toBeUndefined();
  expect(told).toEqual(["changed"]);
  rescans.rescanInBackground(second);
  expect(rescans.cancel(first)).toBe(true);
  expect(rescans.cancel(first)).toBe(false);
  await turn();
  expect(begun.map(({ projectId }) => projectId)).toEqual([first, second]);
  expect(rescans.scanOf(first)).toBeUndefined();
  begun[1]?.end();
  await rescans.whenIdle();
  expect(rescans.cancel(second)).toBe(false);
});

test("a folder that the plan does not cover is not linked, and says why; one that was read before stays", async () => {
  const reason = { code: "folder_max_files", sentence: "The plan free covers 200 files a folder." } as const;
  const refused = async ({ projectId }: RescanOptions) =>
    ({
      project: store.projects.get(projectId),
      error: new ScoutsError("folder_max_files"),
      reason,
    }) as unknown as Rescan;
  const { store, first, second, rescans } = setting({ rescan: refused });
  rescans.rescanInBackground(first, "link");
  rescans.rescanInBackground(second, "daily");
  await rescans.whenIdle();
  expect(store.projects.get(first)).toMatchObject({
    ...{ folderPath: null, folderErrorCode: reason.code, folderErrorSentence: reason.sentence },
  });
  expect(store.localScouts.find(first)).toBeUndefined();
  expect(store.projects.get(second).folderPath).toBe("/folders/b");
  // Another folder is another matter.
  store.projects.link(first, "/folders/small");
  expect(store.projects.get(first).folderErrorCode).toBeNull();
});
