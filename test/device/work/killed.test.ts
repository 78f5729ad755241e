import { execFile } from "node:child_process";
import { cpSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { newFrameId, reopenProposal } from "../../../device/store/decide.ts";
import { type DeviceStore, openDeviceStore } from "../../../device/store/open.ts";
import { systemTimeAndIds } from "../../../device/time-and-ids.ts";
import { addEntity } from "../../../device/work/change-entities.ts";
import { approveInto } from "../../../device/work/decide-into.ts";
import { quick } from "../../rounds.ts";
import { makeProposal } from "../fake-cloud.ts";
import { temporaryFolder } from "../setting.ts";
import { atEachCall } from "./at-each-call.ts";
import { type Act, acts } from "./killed-acts.ts";

const { id } = makeProposal(1);
const nextFrameId = () => newFrameId(systemTimeAndIds.newId);
const opened = (dataFolder: string) => openDeviceStore({ ...systemTimeAndIds, dataFolder });

/** What there is of a decision, as one text: any other than that before and after is half of it. */
function stateIn(dataFolder: string): string {
  const store = opened(dataFolder);
  try {
    return stateOf(store);
  } finally {
    store.close();
  }
}

function stateOf(store: DeviceStore): string {
  expect(store.damage()).toBeUndefined();
  const { status, resolvedEntityType, snoozedUntil, resolvedEntityId } = store.proposals.find(id) ?? {};
  const { task, note } = store.work;
  const entities = [...task.list(), ...note.list()];
  // Each is known, and each change of it.
  const own = entities.filter(({ sourceSuggestionId }) => sourceSuggestionId === id);
  expect(own.every((each) => each.id === resolvedEntityId)).toBe(true);
  const texts = entities.map((each) => ("note" in each ? [each.title, each.note] : [each.title, each.markdown]));
  const changes = (["task", "note"] as const).flatMap((kind) => store.entityChanges.latest(kind, 99)).length;
  const said = store.outbox.counts().waiting;
  return JSON.stringify({ status, resolvedEntityType, snoozedUntil, texts, changes, said });
}

/** What was done before, by other commands. */
const before: Readonly<Record<string, (store: DeviceStore) => void>> = {
  approved: (store) => acts.approve(store, id),
  reopened(store) {
    approveInto(store, id, "note", {}, { nowMs: 1, notBefore: 1 }, nextFrameId);
    const frames = store.outbox.waiting(9).map((frame) => frame.id);
    store.outbox.sending(frames);
    store.outbox.accepted(frames);
    reopenProposal(store, id, nextFrameId);
    addEntity(store, "task", { title: "Garden", note: "Tools" }, 1);
  },
  "merged after that"(store) {
    before["reopened"]?.(store);
    acts.merge(store, id);
  },
};

function prepared(how: string): string {
  const folder = temporaryFolder();
  const store = opened(folder);
  store.proposals.add([makeProposal(1, { triagedAt: Date.parse("2029-12-30T00:00:00Z") })]);
  before[how]?.(store);
  store.close();
  return folder;
}

function copyOf(folder: string): string {
  const data = temporaryFolder();
  cpSync(folder, data, { recursive: true });
  return data;
}

/** What a killed process has left is what there was, or all of it; and the command can be given again. */
function endsWhole(folder: string, what: Act, untouched: string, done: string, where: string): void {
  const state = stateIn(folder);
  expect([untouched, done], where).toContain(state);
  if (state === done) return;
  const store = opened(folder);
  acts[what](store, id);
  expect(stateOf(store), where).toBe(done);
  store.close();
}

describe("P2: killed at any call of the database", () => {
  test.each([
    ["approve", "pending"],
    ["undo", "approved"],
    ["convert", "approved"],
    ["merge", "reopened"],
    ["undo", "merged after that"],
    ["snooze", "pending"],
  ] as const)("%s, of what is %s, is done once or not at all, and can be done then", (what, how) => {
    const data = prepared(how);
    const untouched = stateIn(data);
    const store = opened(data);
    // What lies in the files at that moment is what a process that is killed there leaves.
    const left: [where: string, folder: string][] = [];
    const calls = atEachCall(
      () => acts[what](store, id),
      (call, when) => left.push([`${when} call ${call}`, copyOf(data)]),
    );
    store.close();
    const done = stateIn(data);
    expect(calls).toBeGreaterThan(2);
    expect(done).not.toBe(untouched);
    expect(new Set([left.at(0), left.at(-1)].map((each) => stateIn(each?.[1] ?? "")))).toEqual(
      new Set([untouched, done]),
    );
    // In a short run the ends of the transaction and some of what lies between.
    const looked = quick ? left.filter((_, at) => at < 4 || at >= left.length - 4 || at % 8 === 0) : left;
    for (const [where, folder] of looked) endsWhole(folder, what, untouched, done, where);
  });

  test.skipIf(quick)("and by a signal, in a process of its own", async () => {
    const script = fileURLToPath(new URL("killed-decision.ts", import.meta.url));
    const data = prepared("approved");
    const untouched = stateIn(data);
    const whole = copyOf(data);
    const store = opened(whole);
    const calls = atEachCall(
      () => acts.undo(store, id),
      () => {},
    );
    store.close();
    // Every call is looked at above; that a signal leaves the same is seen at some.
    const some = quick ? [1, calls] : [1, Math.floor(calls / 3), Math.floor((2 * calls) / 3), calls - 1, calls];
    for (const call of some) {
      const folder = copyOf(data);
      const { promise, resolve } = Promise.withResolvers<string | null | undefined>();
      execFile(process.execPath, [script, folder, id, "undo", String(call), "after"], (error) =>
        resolve(error?.signal),
      );
      expect(await promise, `after call ${call}`).toBe("SIGKILL");
      endsWhole(folder, "undo", untouched, stateIn(whole), `after call ${call}`);
    }
  });
});
