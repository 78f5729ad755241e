import { once } from "node:events";
import { readFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { DeviceSocket } from "../../device/connection/socket.ts";
import { DeviceError } from "../../device/errors.ts";
import type { ServerFrame } from "../../events/frames/frames.ts";
import { scoutHealth } from "../../events/health.ts";
import { scoutId } from "../../events/ids.ts";
import { makeProposal } from "./fake-cloud.ts";
import { ManualClock } from "./manual-clock.ts";
import { deviceOn, startCloud, temporaryFolder, temporaryStore } from "./setting.ts";

/** Hands a page over in one turn of the event loop, more frames than the device applies in one transaction. */
class BurstSocket extends DeviceSocket {
  readonly #held: unknown[][] = [];

  override emit(event: string, ...values: unknown[]): boolean {
    if (event !== "message") return super.emit(event, ...values);
    this.#held.push(values);
    if (String(values[0]).includes('"scout_proposal"')) return true;
    for (const each of this.#held.splice(0)) super.emit(event, ...each);
    return true;
  }
}

test("the next pull begins at the durable cursor, also after a restart", async () => {
  const cloud = await startCloud();
  cloud.overlap = 3;
  cloud.proposals.push(...Array.from({ length: 60 }, (_, n) => makeProposal(n)));
  const store = temporaryStore();
  for (const _ of [1, 2]) {
    const device = deviceOn(cloud, store);
    device.connect();
    await device.settled();
    await device.close();
  }

  expect(cloud.framesOf("proposals_pull").map(({ after }) => after)).toEqual([undefined, "50", "57"]);
});

test("what a clock that went wrong has put behind the cursor is found: at once when it has stepped back, else within a day", async () => {
  const cloud = await startCloud();
  let clock = new ManualClock();
  const store = temporaryStore(temporaryFolder(), () => clock.now());
  const begun: (string | undefined)[] = [];
  for (const stepMs of [0, 1_000, -3_600_000, 1_000, 86_400_000, 1_000]) {
    clock = new ManualClock(clock.now() + stepMs);
    const device = deviceOn(cloud, store, { clock });
    const caughtUp = once(device.events, "caughtUp");
    device.connect();
    await caughtUp;
    begun.push(cloud.framesOf("proposals_pull").at(-1)?.after);
    await device.close({ keepSession: true });
  }
  expect(begun).toEqual([undefined, "0", undefined, "0", undefined, "0"]);
});

test("a run of pages that was cut goes on where it was while that is young, else at the durable cursor", async () => {
  const cloud = await startCloud();
  const clock = new ManualClock();
  cloud.overlap = 50;
  cloud.proposals.push(...Array.from({ length: 120 }, (_, n) => makeProposal(n)));
  cloud.onFrame = (frame, connection) => {
    if (frame.type !== "proposals_pull" || frame.after !== "50" || cloud.framesOf("hello").length > 2) return "default";
    connection.cut();
    return "handled";
  };
  const store = temporaryStore(temporaryFolder(), () => clock.now());
  const device = deviceOn(cloud, store, { clock, random: () => 0.5 });
  device.connect();
  await once(device.events, "problem");
  clock.advance(20);
  await once(device.events, "problem");
  clock.advance(61_000);
  await device.settled();

  // Pages are smaller after two that were cut.
  const begun = [undefined, "50", "50", "0", "12", "37", "87"];
  expect(cloud.framesOf("proposals_pull").map(({ after }) => after)).toEqual(begun);
});

test("a cursor the cloud refuses is forgotten: the device begins at the beginning", async () => {
  const cloud = await startCloud();
  const clock = new ManualClock();
  const store = temporaryStore(temporaryFolder(), () => clock.now());
  store.cursors.set("proposals.resume", "from-another-cloud");
  store.cursors.set("proposals.whole", "");
  cloud.proposals.push(makeProposal(1));
  cloud.onFrame = (frame, connection) => {
    if (frame.type !== "proposals_pull" || frame.after === undefined) return "default";
    connection.send({ type: "error", code: "invalid_frame", message: "", inReplyTo: frame.id });
    return "handled";
  };
  const device = deviceOn(cloud, store, { clock });
  device.connect();
  await once(device.events, "problem");
  clock.advance(2_000);
  await device.settled();

  expect(store.proposals.counts().pending).toBe(1);
});

test("a session that has ended is no reason to forget the cursor", async () => {
  const cloud = await startCloud();
  const store = temporaryStore();
  store.cursors.set("proposals.resume", "0");
  store.cursors.set("proposals.whole", "");
  cloud.onFrame = (frame, connection) => {
    if (frame.type !== "proposals_pull" || cloud.framesOf("hello").length > 1) return "default";
    connection.send({ type: "error", code: "session_ended", message: "", inReplyTo: frame.id });
    return "handled";
  };
  const device = deviceOn(cloud, store);
  device.connect();
  await device.settled();
  expect(cloud.framesOf("proposals_pull").map(({ after }) => after)).toEqual(["0", "0"]);
});

test("P2: a refusal whose code only a newer home knows is an answer: the frame is sent again, on the same connection", async () => {
  const cloud = await startCloud();
  cloud.proposals.push(makeProposal(1));
  cloud.onFrame = (frame, connection) => {
    if (frame.type !== "proposals_pull" || cloud.framesOf(frame.type).length > 1) return "default";
    const refusal = { type: "error", code: "of_a_newer_home", message: "Later.", inReplyTo: frame.id, data: { n: 1 } };
    connection.sendText(JSON.stringify(refusal));
    return "handled";
  };
  const store = temporaryStore();
  const device = deviceOn(cloud, store);
  const problem = once(device.events, "problem");
  device.connect();
  expect(await problem).toMatchObject([{ code: "internal" }]);
  await device.settled();
  expect(store.proposals.counts().pending).toBe(1);
  expect(cloud.framesOf("hello")).toHaveLength(1);
});

test("P2: a page that counts more proposals than arrived is asked for again before the cursor moves", async () => {
  const cloud = await startCloud();
  cloud.proposals.push(...Array.from({ length: 5 }, (_, n) => makeProposal(n)));
  let lost = 0;
  cloud.onSend = (frame) => frame.type !== "scout_proposal" || lost++ !== 2;
  const store = temporaryStore();
  const device = deviceOn(cloud, store);
  device.connect();
  await device.settled();

  expect(store.proposals.counts().pending).toBe(5);
  expect(cloud.framesOf("proposals_pull").map(({ after }) => after)).toEqual([undefined, undefined]);
});

test("a pull that is not answered ends the connection", async () => {
  const cloud = await startCloud();
  const clock = new ManualClock();
  cloud.onFrame = ({ type }) =>
    type === "proposals_pull" && cloud.framesOf(type).length === 1 ? "handled" : "default";
  const device = deviceOn(cloud, temporaryStore(), { clock });
  device.connect();
  await cloud.until(() => cloud.framesOf("proposals_pull").length === 1);
  const problem = once(device.events, "problem");
  clock.advance(60_000);
  expect(await problem).toMatchObject([{ code: "answer_overdue" }]);
  clock.advance(1_000);
  await device.settled();
});

test("P2: when the store cannot take a page nothing is acked, no cursor moves, and the page comes again", async () => {
  const cloud = await startCloud();
  cloud.proposals.push(...Array.from({ length: 10 }, (_, n) => makeProposal(n)));
  const real = temporaryStore();
  let full = true;
  const store = {
    ...real,
    proposals: {
      ...real.proposals,
      add: (proposals: Parameters<typeof real.proposals.add>[0]) => {
        const stored = real.proposals.add(proposals);
        if (full) throw new DeviceError("store_full");
        return stored;
      },
    },
  };
  const device = deviceOn(cloud, store);
  const [problem] = await Promise.all([once(device.events, "problem"), device.connect()]);
  expect(problem).toMatchObject([{ code: "store_full" }]);
  expect(real.proposals.list()).toEqual([]);
  expect(real.outbox.counts().waiting).toBe(0);
  expect(real.cursors.get("proposals.resume")).toBeUndefined();

  full = false;
  await device.settled();
  expect(real.proposals.counts().pending).toBe(10);
});

test("a device that is closed amid a burst stores nothing more; the rest is delivered next time", async () => {
  const cloud = await startCloud();
  const proposals = Array.from({ length: 250 }, (_, n) => makeProposal(n));
  cloud.onFrame = (frame, connection) => {
    if (frame.type !== "proposals_pull" || frame.after !== undefined) return "default";
    for (const proposal of proposals) connection.send({ type: "scout_proposal", proposal });
    connection.send({ type: "proposals_page", inReplyTo: frame.id, count: proposals.length, resume: "250" });
    return "handled";
  };
  const store = temporaryStore();
  const device = deviceOn(cloud, store, { WebSocket: BurstSocket });
  const closed = new Promise<void>((resolve) => {
    device.events.once("proposal", () => void device.close().then(resolve));
  });
  device.connect();
  await closed;
  expect(store.proposals.counts().pending).toBe(200);

  device.connect();
  await device.settled();
  expect(store.proposals.counts().pending).toBe(250);
});

test("a store that fails under a timer costs the connection, not the process", async () => {
  const cloud = await startCloud();
  const clock = new ManualClock();
  const real = temporaryStore();
  let broken = false;
  const get = (name: string) => {
    if (broken) throw new DeviceError("store_unreadable");
    return real.cursors.get(name);
  };
  const device = deviceOn(cloud, { ...real, cursors: { ...real.cursors, get } }, { clock });
  device.connect();
  await device.settled();
  const problem = once(device.events, "problem");

  broken = true;
  clock.advance(8 * 60_000);
  expect(await problem).toMatchObject([{ code: "store_unreadable" }]);
  broken = false;
  clock.advance(1_000);
  await once(device.events, "caughtUp");
});

test("a closing ends a pending proposal, leaves a decided one, and may overtake its proposal", async () => {
  const cloud = await startCloud();
  const [pending, decided, early] = [makeProposal(1), makeProposal(2), makeProposal(3)];
  cloud.proposals.push(pending, decided);
  const store = temporaryStore();
  const device = deviceOn(cloud, store);
  device.connect();
  await device.settled();
  device.decide(decided.id, "approved");
  const closed = once(device.events, "closed");

  for (const { id } of [decided, early, pending]) {
    cloud.push({ type: "scout_proposal_closed", proposalId: id, reason: "resolved_elsewhere" });
  }
  cloud.push({ type: "scout_proposal", proposal: early });
  await cloud.until(() => cloud.ackedBy.has(early.id));

  expect(await closed).toMatchObject([{ id: pending.id }]);
  expect(store.proposals.find(pending.id)).toMatchObject({ status: "expired", closedReason: "resolved_elsewhere" });
  expect(store.proposals.find(decided.id)).toMatchObject({ status: "approved", closedReason: null });
  expect(store.proposals.find(early.id)).toMatchObject({ status: "expired", closedReason: "resolved_elsewhere" });
});

test("a full item comes in parts, in any order, and is stored nowhere", async () => {
  const cloud = await startCloud();
  const { id } = makeProposal(1);
  const texts = ["one ", "two ", "three"];
  cloud.onFrame = (frame, connection) => {
    if (frame.type !== "scout_item_request") return "default";
    for (const part of [3, 1, 2]) {
      const text = texts[part - 1] ?? "";
      const head = { subject: "S", sender: "a@example.com", inReplyTo: frame.id, proposalId: id };
      connection.send({ type: "scout_item", ...head, part, parts: 3, text });
    }
    return "handled";
  };
  const device = deviceOn(cloud, temporaryStore(temporaryFolder()));
  device.connect();
  await device.settled();

  const item = await device.requestItem(id);
  const said = { proposalId: id, subject: "S", sender: "a@example.com", text: "one two three" };
  expect(item).toEqual({ ...said, header: null, machine: { calendars: [], linkedData: [] } });
});

test("a full item that cannot be had rejects with the cloud's code, or when the connection is lost", async () => {
  const cloud = await startCloud();
  const { id } = makeProposal(1);
  cloud.onFrame = (frame, connection) => {
    if (frame.type !== "scout_item_request") return "default";
    if (cloud.framesOf("scout_item_request").length > 1) connection.cut();
    else connection.send({ type: "error", code: "item_gone", message: "", inReplyTo: frame.id });
    return "handled";
  };
  const device = deviceOn(cloud, temporaryStore());
  device.connect();
  await device.settled();

  await expect(device.requestItem(id)).rejects.toMatchObject({ code: "item_gone" });
  await expect(device.requestItem(id)).rejects.toMatchObject({ code: "connection_lost" });
});

const scout = scoutId.parse("sct_01JD0000000000000000000000");
const troubled: ServerFrame = { type: "scout_reauth_required", scoutId: scout, code: "reauth", since: 5 };

test("a scout that lost its access is told, and known while offline", async () => {
  const cloud = await startCloud();
  const store = temporaryStore();
  const device = deviceOn(cloud, store);
  device.connect();
  await device.settled();
  const told = once(device.events, "reauth");

  cloud.push(troubled);
  expect(await told).toEqual([{ scoutId: scout, code: "reauth", sinceMs: 5 }]);
  expect(store.knownScouts.off()).toMatchObject([{ id: scout, offCode: "reauth", offSince: 5 }]);
});

test("a scout that was mended while the device was connected is told by its health", async () => {
  const cloud = await startCloud();
  const store = temporaryStore();
  const device = deviceOn(cloud, store);
  device.connect();
  await device.settled();
  cloud.push(troubled);
  const mended = once(device.events, "mended");

  const sample = readFileSync(new URL("../../events/samples/health.scoutHealth.json", import.meta.url), "utf8");
  cloud.push({ type: "scout_health", health: { ...scoutHealth.parse(JSON.parse(sample)), scoutId: scout } });
  expect(await mended).toEqual([{ scoutId: scout }]);
  expect(store.knownScouts.off()).toEqual([]);
});

test.each([
  ["mended", [{ id: scout, name: "Inbox", disabledCode: null }], [{ id: scout, name: "Inbox" }], []],
  ["removed", [], [], []],
  ["still off", [{ id: scout, name: "Inbox", disabledCode: "reauth" }], [{ name: "Inbox" }], [{ offSince: 5 }]],
])("a device that was away asks what became of a scout that was off: %s", async (_, scouts, known, off) => {
  const cloud = await startCloud();
  const store = temporaryStore();
  store.knownScouts.switchedOff(scout, "reauth", 5);
  const response = {
    ...{ sourceType: "gmail", purpose: "p", connected: true, paused: false, autoTrash: false, schedule: null },
    ...{ mutedSenders: 0, pauseAfterDays: 14, createdAt: 1, lastRunAt: null, nextRunAt: null },
  };
  const answered = Promise.withResolvers<void>();
  cloud.onRequest = (path, _body, answer) => {
    if (!path.startsWith("/api/v1/scouts?")) return "default";
    answer.setHeader("content-type", "application/json");
    answer.end(JSON.stringify({ scouts: scouts.map((each) => ({ ...response, ...each })), nextCursor: null }));
    answered.resolve();
    return "handled";
  };
  const device = deviceOn(cloud, store);
  const noted = vi.spyOn(store.knownScouts, "replace");
  device.connect();
  await answered.promise;
  await expect.poll(() => noted.mock.calls.length).toBeGreaterThan(0);
  expect(store.knownScouts.list()).toMatchObject(known);
  expect(store.knownScouts.off()).toMatchObject(off);
});

test("nothing silent: a store that takes no answer about a scout that was off is told as a problem, and ends no program", async () => {
  const cloud = await startCloud();
  const store = temporaryStore();
  store.knownScouts.switchedOff(scout, "reauth", 5);
  vi.spyOn(store.knownScouts, "replace").mockImplementation(() => {
    throw new DeviceError("store_busy");
  });
  cloud.onRequest = (path, _body, answer) => {
    if (!path.startsWith("/api/v1/scouts?")) return "default";
    answer.setHeader("content-type", "application/json");
    answer.end(JSON.stringify({ scouts: [], nextCursor: null }));
    return "handled";
  };
  const device = deviceOn(cloud, store);
  const told = once(device.events, "problem");
  device.connect();
  expect(await told).toEqual([{ code: "store_busy", message: new DeviceError("store_busy").message }]);
});
