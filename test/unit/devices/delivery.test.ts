import { beforeEach, describe, expect, test, vi } from "vitest";
import type { ErrorCode } from "../../../events/error-kinds.ts";
import { ScoutsError } from "../../../events/errors.ts";
import { type ServerFrame, serverFrame } from "../../../events/frames/frames.ts";
import { socketLimits } from "../../../events/frames/limits.ts";
import { proposalCursor } from "../../../events/frames/proposals.ts";
import { frameId } from "../../../events/ids.ts";
import { AccountStore } from "../../../shared/billing/account-store.ts";
import { ConnectionStore } from "../../../shared/devices/connection-store.ts";
import { Delivery, type DeliveryPorts } from "../../../shared/devices/delivery.ts";
import { FrameLimit } from "../../../shared/devices/frame-limit.ts";
import { answerFrame } from "../../../shared/devices/frames/answer.ts";
import type { DevicePorts } from "../../../shared/devices/frames/device-ports.ts";
import { SessionStore } from "../../../shared/devices/session-store.ts";
import { parseKeyRing } from "../../../shared/privacy/key-ring.ts";
import { RingSealer } from "../../../shared/privacy/ring-sealer.ts";
import { Transient } from "../../../shared/privacy/transient.ts";
import type { SourceConnector } from "../../../shared/scouts/connectors/connector.ts";
import { shownHeader } from "../../../shared/scouts/connectors/metadata.ts";
import { CategorizeLeases } from "../../../shared/scouts/items/categorize-leases.ts";
import { ItemStore } from "../../../shared/scouts/items/item-store.ts";
import { RoundStore } from "../../../shared/scouts/items/round-store.ts";
import { scoutHealth } from "../../../shared/scouts/lifecycle/health.ts";
import { SourceQuota } from "../../../shared/scouts/quota/source-quota.ts";
import { ScoutStore } from "../../../shared/scouts/scout-store.ts";
import { chance, newId } from "../../memory/chance.ts";
import { MemoryQueue } from "../../memory/queue.ts";
import { MemoryTable } from "../../memory/table.ts";
import { ada, bob, decide, inbox, item, laptop, newLedger, nowMs, phone, relevant, spam } from "../scouts/setting.ts";

const ring = parseKeyRing(JSON.stringify({ keys: [{ kid: "k", key: Buffer.alloc(32, 9).toString("base64") }] }));
const overlapMs = 2 * 60_000;

/** A cloud of tables in memory, a source that answers by ref, and sockets that keep what they were given. */
const nobody = { answer: () => Promise.reject(new ScoutsError("unknown_frame")) };

function newCloud() {
  const ledger = newLedger();
  const items = new ItemStore(ledger);
  const sessions = new MemoryTable();
  const connections = new ConnectionStore(sessions);
  const posted: { to: string; frame: ServerFrame }[] = [];
  const closed = new Set<string>();
  const failing = new Map<string, ErrorCode>();
  const absent = new Set<string>();
  const oversize = new Set<string>();
  const metadata = async (_: unknown, ref: string) => {
    const code = failing.get(ref);
    if (code) throw new ScoutsError(code);
    const text = (what: string) => new Transient(`${what} of ${ref}`);
    const present = !absent.has(ref);
    const sender = new Transient({ name: "Bea", address: "bea@example.org" });
    const subject = oversize.has(ref) ? new Transient("s".repeat(140_000)) : text("subject");
    const rest = { relation: "to", automatic: false, receivedAtMs: nowMs, present };
    return { subject, sender, snippet: text("snippet"), ...rest };
  };
  const source = {
    sourceType: "gmail",
    fetchMetadata: metadata,
    fetchContent: async (scout: unknown, ref: string) => ({
      ...(await metadata(scout, ref)),
      text: new Transient("x".repeat(40_000)),
      header: shownHeader(Array.from({ length: 300 }, (_, n) => ({ name: `X-${n}`, value: "\u0001é".repeat(5_000) }))),
    }),
  } as unknown as SourceConnector;
  const ports: DeliveryPorts = {
    items,
    scouts: new ScoutStore(ledger),
    quota: new SourceQuota(
      ledger,
      () => nowMs,
      () => 0.5,
    ),
    connections,
    connectors: new Map([["gmail", source]]),
    clock: () => nowMs,
    log: { event: () => {}, error: () => {} },
    sockets: {
      async post(to, frame) {
        if (closed.has(to)) return "gone";
        if (Buffer.byteLength(JSON.stringify(frame)) > socketLimits.messageBytes) {
          throw new ScoutsError("payload_too_large");
        }
        posted.push({ to, frame: serverFrame.parse(JSON.parse(JSON.stringify(frame))) });
        return "sent";
      },
      close: async () => {},
    },
  };
  const delivery = new Delivery(ports);
  const device: DevicePorts = {
    ...ports,
    delivery,
    sessions: new SessionStore(sessions, async () => new RingSealer(ring), chance),
    folders: nobody,
    newId,
    runs: nobody,
    accounts: new AccountStore(ledger),
    limit: new FrameLimit({ take: async () => {} }, () => 0.5),
    rounds: new RoundStore(ledger),
    leases: new CategorizeLeases(ledger),
    health: (row) => scoutHealth({ ledger, connectors: ports.connectors, clock: ports.clock }, row),
    sync: new MemoryQueue({ visibilityMs: 1, maxReceives: 5, fifo: true }, () => nowMs),
  };
  return {
    ...ports,
    ledger,
    items,
    connections,
    sessions,
    delivery,
    device,
    posted,
    closed,
    failing,
    absent,
    oversize,
  };
}

let cloud: ReturnType<typeof newCloud>;
beforeEach(() => {
  cloud = newCloud();
});

const toLaptop = { userId: ada, deviceId: laptop, connectionId: "c1" };
const refs = () =>
  cloud.posted.flatMap(({ frame }) => (frame.type === "scout_proposal" ? [frame.proposal.sourceMsgRef] : []));
const judge = (text: string, atMs = nowMs, judged = relevant) => cloud.items.judge(item(text), judged, atMs);
const cursorAt = (atMs: number) => String(atMs).padStart(15, "0");

describe("a pull", () => {
  test("P2: gives what is open and not on this device yet, oldest first, read afresh, with no reason kept", async () => {
    await judge("m2", nowMs + 2);
    await judge("m1", nowMs + 1);
    await judge("spam", nowMs, spam);
    await cloud.items.judge(item("theirs", bob), relevant, nowMs);
    const { count } = await cloud.delivery.pull(toLaptop, { limit: 50 });
    expect(count).toBe(2);
    expect(refs()).toEqual(["m1", "m2"]);
    expect(cloud.posted[0]).toMatchObject({
      to: "c1",
      frame: {
        proposal: { id: `${inbox}.m1`, rawSubject: "subject of m1", rawSnippet: "snippet of m1", reason: null },
      },
    });
  });

  test("P2: what another device has stored is still given to this one", async () => {
    await judge("m1");
    await cloud.items.delivered(item("m1"), phone, 1, nowMs);
    await cloud.delivery.pull(toLaptop, { limit: 50 });
    expect(refs()).toEqual(["m1"]);
    await cloud.items.delivered(item("m1"), laptop, 1, nowMs);
    expect(await cloud.delivery.pull(toLaptop, { limit: 50 })).toMatchObject({ count: 0 });
  });

  test("P2: begins again two minutes before the newest it gave, because indexes and clocks are not exact", async () => {
    await judge("m1", nowMs);
    const { resume } = await cloud.delivery.pull(toLaptop, { limit: 50 });
    expect(resume).toBe(cursorAt(nowMs - overlapMs));
    await judge("late", nowMs - overlapMs + 1);
    await cloud.delivery.pull(toLaptop, { limit: 50, after: resume });
    expect(refs()).toContain("late");
  });

  test("what is opened when a clock was set back is found behind an entry of before", async () => {
    await judge("ahead", nowMs + 3_600_000);
    const { resume } = await cloud.delivery.pull(toLaptop, { limit: 50 });
    await judge("since", nowMs);
    await cloud.delivery.pull(toLaptop, { limit: 50, after: resume });
    expect(refs()).toContain("since");
  });

  test("goes page by page without gap or repetition", async () => {
    for (let n = 1; n <= 5; n += 1) await judge(`m${n}`, nowMs + n);
    let page = await cloud.delivery.pull(toLaptop, { limit: 2 });
    for (let pages = 1; page.next !== undefined && pages < 9; pages += 1) {
      page = await cloud.delivery.pull(toLaptop, { limit: 2, after: page.next });
    }
    expect(refs()).toEqual(["m1", "m2", "m3", "m4", "m5"]);
  });

  test.each(["source_rate_limited", "source_unavailable"] as const)(
    "P2: an item whose source has to be waited for (%s) keeps nobody from the others, and is asked for again next time",
    async (code) => {
      for (let n = 1; n <= 3; n += 1) await judge(`m${n}`, nowMs + n);
      cloud.failing.set("m2", code);
      const page = await cloud.delivery.pull(toLaptop, { limit: 50 });
      expect(refs()).toEqual(["m1", "m3"]);
      expect(page).toMatchObject({ count: 2 });
      expect(page.next).toBeUndefined();
      cloud.failing.clear();
      await cloud.delivery.pull(toLaptop, { limit: 50, after: page.resume });
      expect(refs()).toEqual(expect.arrayContaining(["m1", "m2", "m3"]));
    },
  );

  test("P2: what waits on an early page is begun with next time, whatever the pages behind it bring", async () => {
    const minutes = (n: number) => nowMs + (n - 9) * 60_000;
    for (let n = 1; n <= 9; n += 1) await judge(`m${n}`, minutes(n));
    cloud.failing.set("m2", "source_unavailable");
    let page = await cloud.delivery.pull(toLaptop, { limit: 3 });
    for (let pages = 1; page.next !== undefined && pages < 9; pages += 1) {
      page = await cloud.delivery.pull(toLaptop, { limit: 3, after: proposalCursor.parse(page.next) });
    }
    expect(refs()).toEqual(["m1", "m3", "m4", "m5", "m6", "m7", "m8", "m9"]);
    expect(page.resume).toBe(cursorAt(minutes(0)));
  });

  test.each([
    ["deleted at the source", () => cloud.failing.set("m1", "item_gone")],
    ["no longer where the scout watches", () => cloud.absent.add("m1")],
  ])("an item %s is closed as gone", async (_, happen) => {
    await judge("m1");
    happen();
    const { count } = await cloud.delivery.pull(toLaptop, { limit: 50 });
    expect(count).toBe(0);
    expect(cloud.posted[0]?.frame).toEqual({
      type: "scout_proposal_closed",
      proposalId: `${inbox}.m1`,
      round: 1,
      reason: "gone",
    });
    expect((await cloud.items.getMany([item("m1")]))[0]?.status).toBe("gone");
  });

  test.each([
    ["access to its source was withdrawn", "reauth"],
    ["its folder was renamed there", "source_folder_unknown"],
  ] as const)("P2: a proposal is owed also when %s, goes out bare and keeps no other waiting", async (_, code) => {
    await judge("m1", nowMs);
    await judge("m2", nowMs + 1);
    cloud.failing.set("m1", code);
    await cloud.delivery.pull(toLaptop, { limit: 50 });
    expect(cloud.posted[0]?.frame).toMatchObject({ proposal: { rawSubject: null, rawSnippet: null } });
    expect(refs()).toEqual(["m1", "m2"]);
  });

  test("P2: a frame that does not fit costs its own item the text, and the page nothing", async () => {
    for (let n = 1; n <= 3; n += 1) await judge(`m${n}`, nowMs + n);
    cloud.oversize.add("m2");
    const page = await cloud.delivery.pull(toLaptop, { limit: 50 });
    expect(page.count).toBe(3);
    expect(refs()).toEqual(["m1", "m2", "m3"]);
    const subjects = cloud.posted.map(({ frame }) => frame.type === "scout_proposal" && frame.proposal.rawSubject);
    expect(subjects).toEqual(["subject of m1", null, "subject of m3"]);
    expect(cloud.posted[1]?.frame).toMatchObject({ proposal: { id: `${inbox}.m2`, rawSnippet: null, reason: null } });
  });

  test("a connection that turns out closed is forgotten", async () => {
    await judge("m1");
    await cloud.connections.add(ada, "c1", laptop, nowMs);
    cloud.closed.add("c1");
    await cloud.delivery.pull(toLaptop, { limit: 50 });
    expect(await cloud.connections.list(ada, nowMs)).toEqual([]);
  });
});

describe("answering a device", () => {
  const id = frameId.parse("frm_01KE5Q8600ESE4NYY1EVXDNQEA");
  const say = (frame: object, from = toLaptop) => answerFrame(cloud.device, from, JSON.stringify({ id, ...frame }));
  const last = () => cloud.posted.at(-1)?.frame;

  test("hello starts delivery: the connection is listed before the device is told", async () => {
    await say({ type: "hello", protocol: 1, deviceId: laptop });
    expect(last()).toMatchObject({ type: "session_ready", inReplyTo: id });
    expect(await cloud.connections.list(ada, nowMs)).toMatchObject([{ connectionId: "c1", deviceId: laptop }]);
  });

  test.each([
    ["another protocol", { type: "hello", protocol: 2, deviceId: laptop }, "protocol_unsupported"],
    ["another device's name", { type: "hello", protocol: 1, deviceId: phone }, "forbidden"],
    ["an unknown type", { type: "drop_tables" }, "unknown_frame"],
    ["a frame with a field missing", { type: "scout_proposal_ack" }, "invalid_frame"],
    ["a proposal that does not exist", { type: "scout_proposal_ack", proposalId: `${inbox}.x` }, "proposal_not_found"],
  ])("%s is answered by an error and changes nothing", async (_, frame, code) => {
    await say(frame);
    expect(last()).toMatchObject({ type: "error", code, inReplyTo: id });
    expect(cloud.sessions.dump()).toEqual([]);
  });

  test("a text that is no JSON is answered by an error that does not repeat it", async () => {
    await answerFrame(cloud.device, toLaptop, "{kanarienvogel");
    expect(last()).toMatchObject({ type: "error", code: "unknown_frame" });
    expect(JSON.stringify(last())).not.toContain("kanarienvogel");
  });

  test("P2: an ack and its repetition are accepted and mark this device, whatever the state", async () => {
    await judge("m1");
    for (let times = 0; times < 2; times += 1) {
      await say({ type: "scout_proposal_ack", proposalId: `${inbox}.m1` });
      expect(last()).toMatchObject({ type: "accepted", inReplyTo: id });
    }
    await decide(cloud.ledger, item("m1"));
    await say({ type: "scout_proposal_ack", proposalId: `${inbox}.m1` });
    expect(last()).toMatchObject({ type: "accepted" });
    expect((await cloud.items.getMany([item("m1")]))[0]).toMatchObject({ status: "acked", on: { [laptop]: nowMs } });
  });

  test("P2: what does not exist among acks that share a frame keeps nothing from the others", async () => {
    await judge("m1");
    await judge("m2");
    const proposalIds = ["gone", "m1", "m2", "m1"].map((name) => `${inbox}.${name}`);
    for (let times = 0; times < 2; times += 1) {
      await say({ type: "scout_proposals_ack", proposalIds });
      expect(last()).toMatchObject({ type: "accepted", inReplyTo: id });
    }
    const rows = await cloud.items.getMany([item("m1"), item("m2")]);
    expect(rows.map(({ status, on }) => [status, on])).toEqual([
      ["delivered", { [laptop]: nowMs }],
      ["delivered", { [laptop]: nowMs }],
    ]);
    expect(await cloud.items.getMany([item("gone")])).toEqual([]);
    await say({ type: "scout_proposals_ack", proposalIds: [`${inbox}.gone`, `${inbox}.none`] });
    expect(last()).toMatchObject({ type: "error", code: "proposal_not_found" });
  });

  test("P2: a write that fails among acks that share a frame has the frame sent again, after the others were tried", async () => {
    await judge("m1");
    await judge("m2");
    const real = cloud.device.items.delivered.bind(cloud.device.items);
    const delivered = vi.spyOn(cloud.device.items, "delivered").mockImplementation(async (which, ...rest) => {
      if (which.ref === "m1") throw new ScoutsError("storage_throttled");
      return real(which, ...rest);
    });
    const frame = { type: "scout_proposals_ack", proposalIds: [`${inbox}.m1`, `${inbox}.m2`] };
    await say(frame);
    expect(last()).toMatchObject({ type: "error", code: "storage_throttled" });
    expect((await cloud.items.getMany([item("m2")]))[0]?.status).toBe("delivered");
    delivered.mockRestore();
    await say(frame);
    expect(last()).toMatchObject({ type: "accepted" });
    expect((await cloud.items.getMany([item("m1")]))[0]?.status).toBe("delivered");
  });

  test("an ack is looked up under the connection's own person, whatever the proposal's id says", async () => {
    await judge("m1");
    await say({ type: "scout_proposal_ack", proposalId: `${inbox}.m1` }, { ...toLaptop, userId: bob });
    expect(last()).toMatchObject({ type: "error", code: "proposal_not_found" });
    expect((await cloud.items.getMany([item("m1")]))[0]?.status).toBe("queued");
  });

  test("a decision closes the proposal on the person's other devices, once, and nobody else's", async () => {
    await judge("m1");
    await cloud.connections.add(ada, "c1", laptop, nowMs);
    await cloud.connections.add(ada, "c2", phone, nowMs);
    await cloud.connections.add(bob, "c3", phone, nowMs);
    for (let times = 0; times < 2; times += 1) {
      await say({ type: "scout_proposal_resolved", proposalId: `${inbox}.m1`, outcome: "approved" });
    }
    const closings = cloud.posted.filter(({ frame }) => frame.type === "scout_proposal_closed");
    expect(closings.map(({ to }) => to)).toEqual(["c2"]);
  });

  test("a long item comes in numbered parts that fit a message", async () => {
    await judge("m1");
    await say({ type: "hello", protocol: 1, deviceId: laptop });
    cloud.posted.length = 0;
    await say({ type: "scout_item_request", proposalId: `${inbox}.m1` });
    const parts = cloud.posted.map(({ frame }) => (frame.type === "scout_item" ? frame : undefined));
    expect(parts.map((part) => [part?.part, part?.parts])).toEqual([
      [1, 4],
      [2, 4],
      [3, 4],
      [4, 4],
    ]);
    expect(parts.map((part) => part?.header !== undefined)).toEqual([true, false, false, false]);
    const { fields = [], leftOut = 0 } = parts[0]?.header ?? {};
    expect(fields.length + leftOut).toBe(300);
    expect(fields.length).toBeGreaterThan(5);
    expect(parts.map((part) => part?.text).join("")).toBe("x".repeat(40_000));
    for (const part of parts) expect(Buffer.byteLength(JSON.stringify(part))).toBeLessThan(96 * 1024);
  });

  describe("proposals that were found together", () => {
    const found = (refs: readonly string[], snippet = "") =>
      Promise.all(
        refs.map(async (ref) => {
          const row = await cloud.items.judge(item(ref), relevant, nowMs);
          if (row === false) throw new Error(`${ref} was judged before`);
          const sender = new Transient({ name: "Bea", address: "bea@example.org" });
          const texts = { subject: new Transient(ref), sender, snippet: new Transient(snippet) };
          const rest = { relation: "to", automatic: false, receivedAtMs: nowMs, present: true } as const;
          return { row, item: { ...texts, ...rest }, reason: new Transient("a question") };
        }),
      );
    const refsTo = (connection: string) =>
      cloud.posted
        .filter(({ to }) => to === connection)
        .map(({ frame }) => {
          if (frame.type === "scout_proposals") return frame.proposals.map(({ sourceMsgRef }) => sourceMsgRef);
          return frame.type === "scout_proposal" ? frame.proposal.sourceMsgRef : frame.type;
        });

    test("share a frame to a device that takes it, and come one by one to one that does not say so", async () => {
      await say({ type: "hello", protocol: 1, deviceId: laptop, takesProposals: true });
      await cloud.connections.add(ada, "c2", phone, nowMs);
      cloud.posted.length = 0;
      await cloud.delivery.sendFresh(await found(["m1", "m2", "m3"]));
      expect(refsTo(toLaptop.connectionId)).toEqual([["m1", "m2", "m3"]]);
      expect(refsTo("c2")).toEqual(["m1", "m2", "m3"]);
    });

    test("one alone is a frame of its own", async () => {
      await cloud.connections.add(ada, "c1", laptop, nowMs, true);
      await cloud.delivery.sendFresh(await found(["m1"]));
      expect(refsTo("c1")).toEqual(["m1"]);
    });

    test("fill as many frames as they need, each within a message", async () => {
      await cloud.connections.add(ada, "c1", laptop, nowMs, true);
      const refs = Array.from({ length: 6 }, (_, n) => `m${n}`);
      await cloud.delivery.sendFresh(await found(refs, "\u0001".repeat(9_000)));
      expect(refsTo("c1")).toEqual([refs.slice(0, 2), refs.slice(2, 4), refs.slice(4)]);
    });

    test("one whose texts are too long for any frame goes out bare, and keeps nothing from the others", async () => {
      await cloud.connections.add(ada, "c1", laptop, nowMs, true);
      const [long] = await found(["m0"], "s".repeat(140_000));
      const others = await found(["m1", "m2"]);
      await cloud.delivery.sendFresh(long ? [long, ...others] : others);
      expect(refsTo("c1")).toEqual(["m0", ["m1", "m2"]]);
    });
  });

  test("bye ends the session and the connection", async () => {
    await say({ type: "hello", protocol: 1, deviceId: laptop });
    await say({ type: "bye" });
    expect(last()).toMatchObject({ type: "accepted" });
    // What is left says that the session's objects are to be deleted, and opens nothing.
    expect(cloud.sessions.dump().map(({ sk }) => sk)).toEqual([expect.stringMatching(/^ENDED#ses_/)]);
  });
});
