import { EventEmitter } from "node:events";
import { expect, test, vi } from "vitest";
import { readInvitation } from "../../device/categorize/calendar/read-invitation.ts";
import { createCategorizer } from "../../device/categorize/drain/categorizer.ts";
import { itemPace } from "../../device/categorize/drain/read-pace.ts";
import type { FullItem } from "../../device/connection/content/item-assembly.ts";
import type { DeviceEvents } from "../../device/connection/events.ts";
import { DeviceError } from "../../device/errors.ts";
import { approveAs } from "../../device/proposals/approve-as.ts";
import { draftOutcome } from "../../device/proposals/draft/draft-outcome.ts";
import { newFrameId } from "../../device/store/decide.ts";
import type { DeviceStore } from "../../device/store/open.ts";
import type { StoredProposal } from "../../device/store/schema.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { ScoutsError } from "../../events/errors.ts";
import { socketLimits } from "../../events/frames/limits.ts";
import type { ProposalId } from "../../events/ids.ts";
import { makeProposal } from "../device/fake-cloud.ts";
import { ManualClock } from "../device/manual-clock.ts";
import { temporaryStore } from "../device/setting.ts";
import { ada, nowMs } from "./case.ts";

type Read = (id: ProposalId) => Promise<FullItem>;

const itemOf = (proposalId: ProposalId, given: Partial<FullItem> = {}): FullItem => ({
  proposalId,
  subject: "Hello",
  sender: "Ada <ada@example.org>",
  header: null,
  text: "Please water the plants.",
  machine: { calendars: [], linkedData: [] },
  ...given,
});

/** A device that is connected, and what it was asked to read. */
function deviceThatReads(read: Read) {
  const asked: ProposalId[] = [];
  const requestItem: Read = (id) => {
    asked.push(id);
    return read(id);
  };
  return { asked, device: { events: new EventEmitter<DeviceEvents>(), state: "ready" as const, requestItem } };
}

function categorizerOn(store: DeviceStore, read: Read, clock = new ManualClock(nowMs), pace = itemPace) {
  const { asked, device } = deviceThatReads(read);
  const problems: Error[] = [];
  const { newId } = systemTimeAndIds;
  const categorizer = createCategorizer({
    store,
    device,
    clock,
    newId,
    zone: "Europe/Berlin",
    pace,
    onProblem: (error) => void problems.push(error),
  });
  return { categorizer, asked, device, problems, clock };
}

const storeAt = (clock: ManualClock) => temporaryStore(undefined, () => clock.now());

test("proposals are read and categorised oldest first, those that arrive later as well", async () => {
  const clock = new ManualClock(nowMs);
  const store = storeAt(clock);
  store.proposals.add([makeProposal(3), makeProposal(1), makeProposal(2)]);
  const { categorizer, asked, device, problems } = categorizerOn(store, async (id) => itemOf(id), clock);
  categorizer.start();
  await categorizer.whenIdle();
  expect(asked.map((id) => id.split(".")[1])).toEqual(["msg-1", "msg-2", "msg-3"]);
  const [late] = store.proposals.add([makeProposal(4)]);
  if (late !== undefined) device.events.emit("proposal", late);
  await categorizer.whenIdle();
  await categorizer.close();
  expect(asked).toHaveLength(4);
  expect(store.proposals.list().map(({ category }) => category)).toEqual(["task", "task", "task", "task"]);
  expect(problems).toEqual([]);
});

test("as many are read together as share a frame, and judged oldest first whatever order their answers come in", async () => {
  const clock = new ManualClock(nowMs);
  const store = storeAt(clock);
  const numbers = Array.from({ length: 12 }, (_, n) => n + 1);
  store.proposals.add(numbers.map((n) => makeProposal(n)));
  const answers = new Map<ProposalId, () => void>();
  const { categorizer, asked, device, problems } = categorizerOn(
    store,
    (id) => new Promise((resolve) => answers.set(id, () => resolve(itemOf(id)))),
    clock,
  );
  const told: ProposalId[] = [];
  device.events.on("categorized", ({ id }) => told.push(id));
  categorizer.start();
  await new Promise(setImmediate);
  expect(asked).toHaveLength(socketLimits.itemsPerFrame);
  // The newest first: each is judged when those before it are.
  while (told.length < numbers.length) {
    for (const id of asked.toReversed()) answers.get(id)?.();
    await new Promise(setImmediate);
  }
  await categorizer.close();
  expect(told.map((id) => id.split(".")[1])).toEqual(numbers.map((n) => `msg-${n}`));
  expect(problems).toEqual([]);
});

test("a defect in one read is told once, and what is read beside it is lost to nobody", async () => {
  const clock = new ManualClock(nowMs);
  const store = storeAt(clock);
  store.proposals.add([1, 2, 3].map((n) => makeProposal(n)));
  let isBroken = true;
  const { categorizer, problems } = categorizerOn(
    store,
    async (id) => {
      if (isBroken && id.endsWith("2")) throw new TypeError("a defect");
      return itemOf(id);
    },
    clock,
  );
  categorizer.start();
  await categorizer.whenIdle();
  expect(problems.map(({ message }) => message)).toEqual(["a defect"]);
  isBroken = false;
  clock.advance(10 * 60_000);
  await categorizer.whenIdle();
  await categorizer.close();
  expect(store.proposals.list().map(({ category }) => category)).toEqual(["task", "task", "task"]);
});

test("P2: what is more than the cloud lets a device read at once follows at its pace", async () => {
  const clock = new ManualClock(nowMs);
  const store = storeAt(clock);
  store.proposals.add(Array.from({ length: 150 }, (_, n) => makeProposal(n)));
  const pace = { atOnce: 50, aSecond: 4 };
  const { categorizer, asked, problems } = categorizerOn(store, (id) => Promise.resolve(itemOf(id)), clock, pace);
  categorizer.start();
  const done = categorizer.whenIdle().then(() => "done");
  const rest = () => Promise.race([done, new Promise(setImmediate)]);
  const toldAt: number[] = [];
  while ((await rest()) !== "done") {
    toldAt.push(asked.length);
    clock.advance(1_000);
  }
  await categorizer.close();
  // A batch of 24 may begin as long as anything is left.
  for (const [second, told] of toldAt.entries()) expect(told).toBeLessThanOrEqual(50 + 4 * second + 24);
  expect(toldAt.length).toBeGreaterThanOrEqual(15);
  expect(store.proposals.uncategorized()).toBe(0);
  expect(problems).toEqual([]);
});

test("two processes of one data folder take each proposal once", async () => {
  const clock = new ManualClock(nowMs);
  const store = storeAt(clock);
  const other = temporaryStore(store.dataFolder, () => clock.now());
  store.proposals.add(Array.from({ length: 40 }, (_, n) => makeProposal(n)));
  const both = [store, other].map((each) => categorizerOn(each, async (id) => itemOf(id), clock));
  for (const { categorizer } of both) categorizer.start();
  await Promise.all(both.map(({ categorizer }) => categorizer.whenIdle()));
  await Promise.all(both.map(({ categorizer }) => categorizer.close()));
  const asked = both.flatMap((each) => each.asked);
  expect(asked).toHaveLength(40);
  expect(new Set(asked).size).toBe(40);
  expect(store.proposals.uncategorized()).toBe(0);
});

test("what a killed process had claimed is done by another when its lease is over, and once", async () => {
  const clock = new ManualClock(nowMs);
  const store = storeAt(clock);
  store.proposals.add([makeProposal(1)]);
  const answer = Promise.withResolvers<FullItem>();
  const killed = categorizerOn(store, () => answer.promise, clock);
  killed.categorizer.start();
  const next = categorizerOn(store, async (id) => itemOf(id), clock);
  next.categorizer.start();
  await next.categorizer.whenIdle();
  expect(next.asked).toEqual([]);
  clock.advance(10 * 60_000);
  await next.categorizer.whenIdle();
  expect(next.asked).toHaveLength(1);
  const [before] = store.proposals.list();
  expect(before?.category).toBe("task");
  // It was not dead but slow: its claim is gone, and it changes nothing.
  answer.resolve(itemOf(makeProposal(1).id, { text: "How are you?" }));
  await killed.categorizer.close();
  await next.categorizer.close();
  expect(store.proposals.list()).toEqual([before]);
});

test("an item that is gone is categorised by what the proposal says, and that is said", async () => {
  const clock = new ManualClock(nowMs);
  const store = storeAt(clock);
  store.proposals.add([makeProposal(1, { rawSnippet: "Please water the plants." })]);
  const { categorizer } = categorizerOn(store, () => Promise.reject(new ScoutsError("item_gone")), clock);
  categorizer.start();
  await categorizer.whenIdle();
  await categorizer.close();
  expect(store.proposals.list()).toMatchObject([{ category: "task", payload: { dropped: ["not_read"] } }]);
});

test("an item that cannot be read for the moment is tried again later, and after four times by what the proposal says", async () => {
  const clock = new ManualClock(nowMs);
  const store = storeAt(clock);
  store.proposals.add([makeProposal(1)]);
  const { categorizer, asked } = categorizerOn(store, () => Promise.reject(new DeviceError("answer_overdue")), clock);
  categorizer.start();
  await categorizer.whenIdle();
  expect(store.proposals.list()).toMatchObject([{ category: "unprocessed" }]);
  for (let tries = 0; tries < 6; tries++) {
    clock.advance(6 * 3_600_000);
    await categorizer.whenIdle();
  }
  await categorizer.close();
  expect(asked).toHaveLength(5);
  expect(store.proposals.list()).toMatchObject([{ category: "information", payload: { dropped: ["not_read"] } }]);
});

test("nothing silent, and no line each second: of a store that takes nothing it is told once a minute, and what waits is read", async () => {
  const clock = new ManualClock(nowMs);
  const store = storeAt(clock);
  store.proposals.add([makeProposal(1)]);
  const { categorizer, device, problems } = categorizerOn(store, async (id) => itemOf(id), clock);
  const seconds = async (count: number) => {
    for (let second = 0; second < count; second++) {
      clock.advance(1_000);
      await categorizer.whenIdle();
    }
  };
  const full = new DeviceError("store_full");
  const claim = vi.spyOn(store.proposals, "claim").mockImplementation(() => {
    throw full;
  });
  categorizer.start();
  await categorizer.whenIdle();
  const [late] = store.proposals.add([makeProposal(2)]);
  if (late !== undefined) device.events.emit("proposal", late);
  await seconds(59);
  expect(problems).toEqual([full]);
  claim.mockRestore();
  // Nor can it be asked what waits.
  const disk = new DeviceError("store_disk");
  vi.spyOn(store.proposals, "nextClaimAt").mockImplementationOnce(() => {
    throw disk;
  });
  await seconds(1);
  expect(store.proposals.list().map(({ category }) => category)).toEqual(["task", "task"]);
  expect(problems).toEqual([full, disk]);
  store.proposals.add([makeProposal(3)]);
  await seconds(60);
  expect(store.proposals.uncategorized()).toBe(0);
  await categorizer.close();
});

test("a decided proposal is left as it is", async () => {
  const clock = new ManualClock(nowMs);
  const store = storeAt(clock);
  const [row] = store.proposals.add([makeProposal(1)]);
  const { categorizer, device } = categorizerOn(
    store,
    async (id) => {
      store.proposals.decide(id, "rejected");
      return itemOf(id);
    },
    clock,
  );
  expect(row).toBeDefined();
  const told: unknown[] = [];
  device.events.on("categorized", (each) => told.push(each));
  categorizer.start();
  await categorizer.whenIdle();
  await categorizer.close();
  expect(store.proposals.list()).toMatchObject([{ status: "rejected", category: "unprocessed", payload: null }]);
  expect(told).toEqual([]);
});

const part = (method: string, sequence: number) =>
  [
    "BEGIN:VCALENDAR",
    `METHOD:${method}`,
    "BEGIN:VEVENT",
    "UID:bridge@example.org",
    `DTSTAMP:2026111${sequence}T080000Z`,
    `SEQUENCE:${sequence}`,
    "SUMMARY:Plan the bridge",
    `DTSTART:2026120${sequence + 1}T090000Z`,
    "END:VEVENT",
    "END:VCALENDAR",
    "",
  ].join("\r\n");

/** What becomes of mails with calendar parts that are read in an order; in the order they are named in. */
async function sorted(
  sent: readonly { readonly part: string; readonly metadata?: typeof ada }[],
  order: readonly number[],
): Promise<StoredProposal[]> {
  const clock = new ManualClock(nowMs);
  const store = storeAt(clock);
  store.proposals.add(
    order.map((which, place) => makeProposal(which, { triagedAt: nowMs + place, metadata: sent[which]?.metadata })),
  );
  const calendarOf = (id: ProposalId) => sent[Number(id.at(-1))]?.part ?? "";
  const { categorizer } = categorizerOn(
    store,
    async (id) => itemOf(id, { text: "", machine: { calendars: [calendarOf(id)], linkedData: [] } }),
    clock,
  );
  categorizer.start();
  await categorizer.whenIdle();
  await categorizer.close();
  return store.proposals.list().toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

test("an invitation, its update and its cancellation end the same in every order: the newest counts", async () => {
  const sent = [part("REQUEST", 0), part("REQUEST", 1), part("CANCEL", 2)].map((each) => ({ part: each }));
  const orders = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ];
  for (const order of orders) {
    const rows = await sorted(sent, order);
    expect(
      rows.map(({ category, payload }) => [category, payload?.calendar?.status, payload?.start?.slice(0, 10)]),
      order.join(),
    ).toEqual([
      ["information", "confirmed", "2026-12-01"],
      ["information", "confirmed", "2026-12-02"],
      ["event", "cancelled", "2026-12-03"],
    ]);
  }
});

const of = (name: string) => ({ metadata: { ...ada, sender: { name, address: `${name}@example.org` } } });

test("nobody but its sender replaces an invitation, whatever order they come in and whatever became of them", async () => {
  // Ada invites and changes it; Mallory has seen the invitation and says that all is off.
  const sent = [
    { ...of("ada"), part: part("REQUEST", 0) },
    { ...of("mallory"), part: part("CANCEL", 8) },
    { ...of("ada"), part: part("REQUEST", 1) },
  ];
  for (const order of [
    [0, 1, 2],
    [1, 0, 2],
    [0, 2, 1],
  ]) {
    const rows = await sorted(sent, order);
    expect(
      rows.map(({ category, payload }) => [category, payload?.reasons.filter((each) => each.startsWith("invitation"))]),
      order.join(),
    ).toEqual([
      ["information", ["invitation_outdated", "invitation"]],
      ["event", ["invitation_cancelled"]],
      ["event", [order.indexOf(2) > order.indexOf(0) ? "invitation_changed" : "invitation"]],
    ]);
  }
});

test("a change of an event by somebody else than it was taken from says so; one by its sender does not", async () => {
  const clock = new ManualClock(nowMs);
  const store = storeAt(clock);
  const { categorizer, device } = categorizerOn(
    store,
    async (id) =>
      itemOf(id, { text: "", machine: { calendars: [part("REQUEST", Number(id.at(-1)))], linkedData: [] } }),
    clock,
  );
  const [invited] = store.proposals.add([makeProposal(0, of("ada"))]);
  categorizer.start();
  await categorizer.whenIdle();
  if (invited === undefined) throw new Error("the invitation was known already");
  const { id } = invited;
  const read = store.proposals.find(id);
  approveAs(store, { id, outcome: read && draftOutcome(read) }, { nowMs, notBefore: nowMs }, () =>
    newFrameId(systemTimeAndIds.newId),
  );
  const changed = store.proposals.add([makeProposal(1, of("ada")), makeProposal(2, of("mallory"))]);
  for (const each of changed) device.events.emit("proposal", each);
  await categorizer.whenIdle();
  await categorizer.close();
  const changes = store.proposals.list().filter((row) => row.id !== id);
  expect(Object.fromEntries(changes.map(({ sourceMsgRef, payload }) => [sourceMsgRef, payload?.reasons]))).toEqual({
    "msg-1": ["invitation_changed", "from_known"],
    "msg-2": ["invitation_changed", "sender_changed"],
  });
});

test("the task to answer who asks for another time names them once", async () => {
  const clock = new ManualClock(nowMs);
  const store = storeAt(clock);
  const counter = part("COUNTER", 0).replace("END:VEVENT", "ATTENDEE;CN=ada:mailto:ada@example.org\r\nEND:VEVENT");
  store.proposals.add([makeProposal(0, of("ada"))]);
  const machine = { calendars: [counter], linkedData: [] };
  const { categorizer } = categorizerOn(store, async (id) => itemOf(id, { text: "", machine }), clock);
  categorizer.start();
  await categorizer.whenIdle();
  await categorizer.close();
  const titles = store.proposals.list().map((row) => draftOutcome(row)?.draft.title);
  expect(titles).toEqual(["Answer ada: Another time for Plan the bridge"]);
});

test.each(["RECURRENCE-ID:20261203T090000Z", "RECURRENCE-ID;RANGE=THISANDFUTURE:20261203T090000Z"])(
  "an invitation that says more of its series than an event does says what was left out: %s",
  async (one) => {
    const series = part("REQUEST", 0).replace("END:VEVENT", "RRULE:FREQ=DAILY;COUNT=5\r\nEND:VEVENT");
    const [head = "", ...rest] = series.split("BEGIN:VEVENT");
    const single = [
      "BEGIN:VEVENT",
      "UID:bridge@example.org",
      one,
      "DTSTART:20261203T140000Z",
      "SUMMARY:At noon",
      "END:VEVENT",
      "",
    ].join("\r\n");
    const together = [head, single, "BEGIN:VEVENT", ...rest].join("");
    const alone = [head, single, "END:VCALENDAR", ""].join("");
    const read = async (text: string) => (await readInvitation(text))?.hasMoreTimes;
    expect(await read(series)).toBe(false);
    expect(await read(together)).toBe(true);
    expect(await read(alone)).toBe(one.includes("RANGE"));
    const clock = new ManualClock(nowMs);
    const store = storeAt(clock);
    store.proposals.add([makeProposal(1)]);
    const machine = { calendars: [together], linkedData: [] };
    const { categorizer } = categorizerOn(store, async (id) => itemOf(id, { text: "", machine }), clock);
    categorizer.start();
    await categorizer.whenIdle();
    await categorizer.close();
    expect(store.proposals.list().map(({ payload }) => payload?.dropped)).toEqual([["times_left_out"]]);
  },
);
