import { describe, expect, test } from "vitest";
import { runCommand } from "../../../cli/program.ts";
import { showBroken } from "../../../cli/questions/shown-broken.ts";
import { type AskedHome, whatIsBroken } from "../../../device/brief/broken.ts";
import { projectNews } from "../../../device/brief/project-news.ts";
import { checkMail } from "../../../device/doctor/running-checks.ts";
import { DeviceError } from "../../../device/errors.ts";
import { snoozeMoment, snoozeTimes } from "../../../device/proposals/snooze-times.ts";
import type { ScanCause, ScoutAction } from "../../../device/store/folder-schema.ts";
import { type DeviceStore, openDeviceStore } from "../../../device/store/open.ts";
import { systemTimeAndIds } from "../../../device/time-and-ids.ts";
import { addEntity } from "../../../device/work/change-entities.ts";
import { setTaskStatus } from "../../../device/work/tasks/task-status.ts";
import type { ProjectId } from "../../../events/ids.ts";
import { inbox, scoutId } from "../../console/console-home.ts";
import { makeProposal } from "../fake-cloud.ts";
import { Screen } from "../screen.ts";
import { temporaryFolder } from "../setting.ts";

const nowMs = Date.parse("2026-11-22T12:00:00Z");
const dayMs = 86_400_000;

function deviceAt(clock = { nowMs }) {
  const dataFolder = temporaryFolder();
  return { dataFolder, clock, store: openDeviceStore({ ...systemTimeAndIds, dataFolder, now: () => clock.nowMs }) };
}

type Found = readonly (readonly [ScoutAction, string])[];

/** A scan that ended at a time. */
function scanned(store: DeviceStore, project: ProjectId, cause: ScanCause, endedAt: number, found: Found): void {
  const { id } = store.scoutRuns.start(project, cause);
  const actions = found.map(([action, relativePath]) => ({ action, relativePath, fromPath: null, code: null }));
  store.scoutRuns.addActions(id, actions);
  store.scoutRuns.update(id, { status: "completed", endedAt });
}

describe("what changed in projects", () => {
  test("each file counts once, as it was found last, of the last seven days; a folder that was just linked has not changed", () => {
    const { store } = deviceAt();
    const { id: garden } = store.projects.add("Garden");
    const { id: house } = store.projects.add("House");
    scanned(store, garden, "link", nowMs - 2 * dayMs, [
      ["added", "old.md"],
      ["added", "plan.md"],
    ]);
    scanned(store, garden, "daily", nowMs - 8 * dayMs, [["changed", "long-ago.md"]]);
    scanned(store, garden, "daily", nowMs - dayMs, [
      ["added", "beds.md"],
      ["changed", "plan.md"],
      ["skipped", "x.bin"],
    ]);
    scanned(store, garden, "stale", nowMs - 60_000, [
      ["changed", "beds.md"],
      ["removed", "old.md"],
      ["summarized", "plan.md"],
    ]);
    scanned(store, house, "link", nowMs - dayMs, [["added", "a.md"]]);
    expect(projectNews(store, nowMs)).toEqual([
      {
        ...{ id: garden, name: "Garden", changedAt: nowMs - 60_000, added: 0, changed: 2, removed: 1 },
        files: [
          { path: "old.md", action: "removed" },
          { path: "beds.md", action: "changed" },
          { path: "plan.md", action: "changed" },
        ],
        ...{ tasksAdded: 0, tasksDone: 0 },
      },
    ]);
    const task = addEntity(store, "task", { title: "Paint", projectId: house }, nowMs - dayMs);
    setTaskStatus(store, task.id, "done", nowMs - 1);
    expect(projectNews(store, nowMs)[1]).toMatchObject({ name: "House", changedAt: null, tasksAdded: 1, tasksDone: 1 });
    store.close();
  });
});

describe("what is broken", () => {
  const asking = (scouts: AskedHome["scouts"], mail: AskedHome["mail"] = async () => undefined) => ({ scouts, mail });
  const connected = { readyAt: nowMs - 1_000, seenAt: nowMs - 1_000 };

  test("nothing silent: a scout that the home has forgotten is said, until the home knows it again", async () => {
    const { store } = deviceAt();
    store.identity.update(connected);
    expect(
      await whatIsBroken(
        store,
        asking(async () => [inbox]),
        nowMs,
      ),
    ).toEqual([]);
    for (const _ of [1, 2]) {
      const broken = await whatIsBroken(
        store,
        asking(async () => []),
        nowMs,
      );
      expect(broken).toMatchObject([{ what: "off", trouble: { id: scoutId, offCode: "scout_not_found" } }]);
    }
    expect(
      await whatIsBroken(
        store,
        asking(async () => [inbox]),
        nowMs,
      ),
    ).toEqual([]);
    store.close();
  });

  test("nothing is said where all is well; a device that is away, a scout that is off or fails, and a folder are", async () => {
    const { store } = deviceAt();
    store.identity.update(connected);
    expect(
      await whatIsBroken(
        store,
        asking(async () => [inbox]),
        nowMs,
      ),
    ).toEqual([]);
    const off = { ...inbox, disabledCode: "reauth", disabledAt: nowMs - dayMs } as const;
    const failing = { ...inbox, failing: { code: "source_unavailable", since: nowMs - dayMs, count: 1 } } as const;
    const { id } = store.projects.add("Garden");
    store.projects.link(id, temporaryFolder());
    store.localScouts.put(id);
    store.projects.beginScan(id, { holder: "h", pid: 1, until: nowMs + 1 }, () => true);
    store.projects.endScan(id, "h", { status: "error", code: "folder_unreadable", sentence: "Cannot be read." });
    const broken = await whatIsBroken(
      store,
      asking(async () => [off, failing]),
      nowMs,
    );
    expect(broken).toMatchObject([
      { what: "off", trouble: { id: scoutId, offCode: "reauth" } },
      { what: "failing", failing: { code: "source_unavailable" } },
      { what: "folder", folder: { name: "Garden", trouble: { code: "folder_unreadable" } } },
    ]);
    store.identity.update({ readyAt: null, troubleCode: "ticket_unavailable", troubleAt: nowMs - 5 });
    expect(
      (
        await whatIsBroken(
          store,
          asking(async () => []),
          nowMs,
        )
      )[0],
    ).toEqual({
      ...{ what: "offline", code: "ticket_unavailable", since: nowMs - 5 },
    });
    store.close();
  });

  test("nothing silent: a mailbox that cannot be read is said, which the home's scout on it does not know", async () => {
    const { store } = deviceAt();
    store.identity.update(connected);
    const check = checkMail({ mail: "mailbox", mailAway: "/home/ada/Mail" });
    const broken = await whatIsBroken(
      store,
      asking(
        async () => [inbox],
        async () => check,
      ),
      nowMs,
    );
    expect(broken).toEqual([{ what: "mail", check }]);
    const written: string[] = [];
    const line = (text = "") => void written.push(text);
    showBroken({ line, json: () => {}, style: (_, text) => text, columns: 80 }, broken, nowMs);
    expect(written.join("")).toMatch(/mail: the mailbox .home.ada.Mail cannot be read.*Put it back where it was/);
    const refused = async () => {
      throw new DeviceError("credentials_unreadable");
    };
    expect(
      await whatIsBroken(
        store,
        asking(async () => [inbox], refused),
        nowMs,
      ),
    ).toEqual([]);
    store.close();
  });

  test("a home that does not answer is said, and what the device was told of its scouts counts", async () => {
    const { store } = deviceAt();
    store.identity.update(connected);
    store.knownScouts.switchedOff(scoutId, "source_gone", nowMs - dayMs);
    const silent = async () => {
      throw new DeviceError("request_refused");
    };
    expect(await whatIsBroken(store, asking(silent), nowMs)).toMatchObject([
      { what: "home", error: { code: "request_refused" } },
      { what: "off", trouble: { id: scoutId, offCode: "source_gone" } },
    ]);
    const broken = async () => {
      throw new TypeError("a mistake of ours");
    };
    await expect(whatIsBroken(store, asking(broken), nowMs)).rejects.toThrow("a mistake of ours");
    store.close();
  });

  test("the command says it with its cure, what changed in projects, and that another device was first", async () => {
    const { store, dataFolder } = deviceAt();
    const { id: garden } = store.projects.add("Garden");
    scanned(store, garden, "daily", nowMs - dayMs, [["added", "be\u001b[31mds.md"]]);
    store.proposals.add([makeProposal(1, { triagedAt: nowMs })]);
    store.proposals.decide(makeProposal(1).id, "approved");
    store.proposals.differs({ id: makeProposal(1).id, decided: 1, round: 1, outcome: "rejected" });
    const [stdout, stderr] = [new Screen(), new Screen()];
    const context = {
      io: { stdout, stderr, isTTY: false, color: false, signal: new AbortController().signal },
      ...{
        environment: {},
        workingFolder: dataFolder,
        ...systemTimeAndIds,
        now: () => nowMs,
        zone: () => "Europe/Berlin",
      },
    };
    expect(await runCommand(["brief", "--data", dataFolder], context, "1")).toBe(0);
    expect(stdout.written).toContain("1 decision of yours differs from another device's, which was first");
    expect(stdout.written).toContain("does not reach its home, so nothing new arrives. To mend it: scouts up");
    expect(stdout.written).toMatch(/Garden: 1 new file \(be\ufffd\[31mds\.md\)/);
    stdout.written = "";
    await runCommand(["brief", "--json", "--data", dataFolder], context, "1");
    expect(JSON.parse(stdout.written)).toMatchObject({
      brief: { conflicts: 1, projects: [{ name: "Garden", added: 1 }], broken: [{ what: "offline" }] },
    });
    store.close();
  });
});

describe("times to snooze until", () => {
  const at = (iso: string, zone: string) => snoozeTimes({ nowMs: Date.parse(iso), zone });
  const named = (iso: string, zone: string) =>
    Object.fromEntries(at(iso, zone).map(({ name, atMs }) => [name, new Date(atMs).toISOString()]));

  test("are of the person's clock, and count nothing twice", () => {
    // A Sunday noon in Berlin.
    expect(named("2026-11-22T11:00:00Z", "Europe/Berlin")).toEqual({
      hours: "2026-11-22T14:00:00.000Z",
      evening: "2026-11-22T17:00:00.000Z",
      tomorrow: "2026-11-23T07:00:00.000Z",
    });
    expect(named("2026-11-24T22:30:00Z", "Europe/Berlin")).toEqual({
      hours: "2026-11-25T01:30:00.000Z",
      tomorrow: "2026-11-25T07:00:00.000Z",
      weekend: "2026-11-28T07:00:00.000Z",
      week: "2026-11-30T07:00:00.000Z",
    });
  });

  test("mean eight o'clock there also when the clocks are changed meanwhile", async () => {
    // The night to 29 March 2026 is an hour shorter in Berlin.
    expect(named("2026-03-27T12:00:00Z", "Europe/Berlin")).toMatchObject({
      tomorrow: "2026-03-28T07:00:00.000Z",
      week: "2026-03-30T06:00:00.000Z",
    });
    const here = { nowMs: Date.parse("2026-03-27T12:00:00Z"), zone: "Europe/Berlin" };
    // No clock there shows half past two in that night: another time would be kept than was said.
    await expect(snoozeMoment("2026-03-29T02:30", here)).rejects.toMatchObject({ code: "date_invalid" });
    expect(await snoozeMoment("2026-03-29", here)).toBe(Date.parse("2026-03-29T06:00:00Z"));
  });
});
