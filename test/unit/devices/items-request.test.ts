import { beforeEach, expect, test, vi } from "vitest";
import { ReadPace } from "../../../device/categorize/drain/read-pace.ts";
import type { Clock } from "../../../device/connection/clock.ts";
import type { ErrorCode } from "../../../events/error-kinds.ts";
import { ScoutsError } from "../../../events/errors.ts";
import { socketLimits } from "../../../events/frames/limits.ts";
import { seededRandom } from "../../../infra/standins/seeded-random.ts";
import { FrameLimit, frameRate } from "../../../shared/devices/frame-limit.ts";
import { answerFrame } from "../../../shared/devices/frames/answer.ts";
import type { DevicePorts } from "../../../shared/devices/frames/device-ports.ts";
import { ledgerKey } from "../../../shared/keys.ts";
import type { After } from "../../../shared/ports/clock.ts";
import { Transient } from "../../../shared/privacy/transient.ts";
import { RateLimit } from "../../../shared/requests/rate-limit.ts";
import type { ItemContent, SourceConnector } from "../../../shared/scouts/connectors/connector.ts";
import type { Reading } from "../../../shared/scouts/triage/readable-text.ts";
import { MemoryTable } from "../../memory/table.ts";
import { MemoryCloud } from "../../socket/cloud.ts";
import { ada, bob, inbox, item, laptop, newFrame, nowMs, ref, relevant } from "../scouts/setting.ts";

const from = { userId: ada, deviceId: laptop, connectionId: "c1" };
const idOf = (text: string) => `${inbox}.${text}`;

let cloud: MemoryCloud;
let ports: DevicePorts;
let failing: Map<string, ErrorCode>;
let texts: Map<string, string>;
let reading: (ref: string) => Promise<void> | undefined;
let readings: Reading[];
let granted: { granted: true } | { granted: false; untilMs: number };

beforeEach(async () => {
  cloud = new MemoryCloud();
  failing = new Map();
  texts = new Map();
  readings = [];
  reading = () => undefined;
  granted = { granted: true };
  const source: Pick<SourceConnector, "sourceType" | "limits" | "fetchContent"> = {
    sourceType: "gmail",
    limits: { unitsPerMinute: 6_000, costs: { list: 1, read: 5, watch: 1, archive: 1 } },
    fetchContent: async (_, ref, how): Promise<ItemContent> => {
      readings.push(how ?? "words");
      await reading(ref);
      const code = failing.get(ref);
      if (code) throw new ScoutsError(code);
      return {
        subject: new Transient(`subject of ${ref}`),
        sender: new Transient({ name: "Bea", address: "bea@example.org" }),
        snippet: new Transient(""),
        relation: "to",
        automatic: false,
        receivedAtMs: nowMs,
        present: true,
        text: new Transient(texts.get(ref) ?? `text of ${ref}`),
      };
    },
  };
  ports = { ...cloud.ports, connectors: new Map([["gmail", source as SourceConnector]]) };
  vi.spyOn(ports.quota, "take").mockImplementation(async () => granted);
  await cloud.connections.add(ada, "c1", laptop, nowMs);
  for (const text of ["m1", "m2", "m3"]) await cloud.items.judge(item(text), relevant, nowMs);
  await cloud.items.judge(item("theirs", bob), relevant, nowMs);
});

async function ask(...refs: string[]) {
  cloud.posted.length = 0;
  const frame = { type: "scout_items_request", id: newFrame(), proposalIds: refs.map(idOf) };
  await answerFrame(ports, from, JSON.stringify(frame));
  const frames = cloud.posted.flatMap((each) => (each.frame.type === "scout_items" ? [each.frame] : []));
  expect(frames.every(({ inReplyTo }) => inReplyTo === frame.id)).toBe(true);
  return {
    frames,
    parts: frames.flatMap(({ parts }) => parts),
    refused: frames.flatMap((each) => each.refused.map(({ proposalId, code }) => [proposalId, code])),
  };
}

test("several items come in one message, for one look at the items and one take from their source", async () => {
  const before = { ...cloud.ledger.requests };
  const { frames, parts, refused } = await ask("m1", "m2", "m1", "m3");
  expect(frames).toHaveLength(1);
  expect(parts.map(({ proposalId, text }) => [proposalId, text])).toEqual(
    ["m1", "m2", "m3"].map((text) => [idOf(text), `text of ${text}`]),
  );
  expect(refused).toEqual([]);
  expect(vi.mocked(ports.quota.take).mock.calls.map(([, , units, isUrgent]) => [units, isUrgent])).toEqual([
    [15, undefined],
  ]);
  expect((cloud.ledger.requests["getMany"] ?? 0) - (before["getMany"] ?? 0)).toBe(2);
});

test("what cannot be read, is gone or is another person's keeps nothing from the others", async () => {
  failing.set("m2", "item_gone");
  const { parts, refused } = await ask("m1", "m2", "theirs", "never");
  expect(parts.map(({ proposalId }) => proposalId)).toEqual([idOf("m1")]);
  expect(refused).toEqual([
    [idOf("m2"), "item_gone"],
    [idOf("theirs"), "proposal_not_found"],
    [idOf("never"), "proposal_not_found"],
  ]);
});

test("one that hangs holds up neither those beside it nor those after it", async () => {
  for (const text of ["m4", "m5"]) await cloud.items.judge(item(text), relevant, nowMs);
  const hanging = Promise.withResolvers<void>();
  reading = (ref) => {
    if (ref === "m5") hanging.resolve();
    return ref === "m2" ? hanging.promise : undefined;
  };
  const after: After = (_, work) => {
    const timer = setImmediate(work);
    return () => clearImmediate(timer);
  };
  ports = { ...ports, after };
  const { frames } = await ask("m1", "m2", "m3", "m4", "m5");
  const told = frames.map(({ parts }) => parts.map(({ proposalId }) => proposalId));
  expect(told).toEqual([["m1", "m3", "m4"].map(idOf), [idOf("m5")], [idOf("m2")]]);
});

test("a source that has no more to give this minute is not read, and each item says so", async () => {
  granted = { granted: false, untilMs: nowMs + 1_000 };
  const { parts, refused } = await ask("m1", "m2");
  expect(parts).toEqual([]);
  expect(refused.map(([, code]) => code)).toEqual(["source_quota_spent", "source_quota_spent"]);
});

test("long items go in as many messages as they need, each within the gateway's limit", async () => {
  // Of six bytes a character in JSON.
  for (const text of ["m1", "m2", "m3"]) texts.set(text, "\u0001".repeat(40_000));
  const { frames, parts } = await ask("m1", "m2", "m3");
  expect(frames.length).toBeGreaterThan(3);
  for (const frame of frames) {
    expect(Buffer.byteLength(JSON.stringify(frame))).toBeLessThanOrEqual(socketLimits.messageBytes);
  }
  for (const text of ["m1", "m2", "m3"]) {
    const own = parts.filter(({ proposalId }) => proposalId === idOf(text));
    expect(own.map((each) => each.text).join("")).toBe(texts.get(text));
  }
});

test("each item that shares a frame counts", async () => {
  let charges = 0;
  const take = async () => {
    charges += 1;
  };
  // Eight items of weight a half are a sixteenth of the 64 frames that a charge stands for.
  ports = { ...ports, limit: new FrameLimit({ take }, () => 0.06) };
  await ask("m1", "m2", "m3", "n1", "n2", "n3", "n4");
  expect(charges).toBe(0);
  await ask("m1", "m2", "m3", "n1", "n2", "n3", "n4", "n5");
  expect(charges).toBe(1);
});

test.each([1, 2, 3])(
  "P2: a device that catches up with thirty thousand items stays within what its person may send, seed %i",
  async (seed) => {
    let ms = nowMs;
    const clock: Clock = {
      now: () => ms,
      after(delayMs, work) {
        ms += delayMs;
        work();
        return () => {};
      },
    };
    const pace = new ReadPace(clock, new AbortController().signal);
    const limit = new FrameLimit(new RateLimit(new MemoryTable(), clock.now, frameRate), seededRandom(seed));
    for (let page = 0; page < 600; page += 1) {
      await limit.charge(from.userId, "proposals_pull");
      for (let items = 0; items < 50; items += 8) {
        await pace.wait();
        pace.spend(8);
        await limit.charge(from.userId, "scout_items_request", 8);
      }
    }
    expect(ms).toBeGreaterThan(nowMs);
  },
);

test("before its hello a device is told nothing", async () => {
  await cloud.connections.remove(ada, "c1");
  const { frames } = await ask("m1");
  expect(frames).toEqual([]);
  expect(cloud.posted.at(-1)?.frame).toMatchObject({ type: "error", code: "session_unknown" });
});

test("nothing silent: one whose row is damaged is refused by that, and keeps nothing from the others", async () => {
  await cloud.ledger.update(ledgerKey.item(ada, inbox, ref("m1")), { set: [[["code"], "of_a_later_version"]] });
  cloud.posted.length = 0;
  const frame = { type: "scout_items_request", id: newFrame(), proposalIds: ["m1", "m2"].map(idOf) };
  await answerFrame(ports, from, JSON.stringify(frame));
  expect(cloud.posted.map((each) => each.frame)).toMatchObject([
    {
      type: "scout_items",
      parts: [{ proposalId: idOf("m2") }],
      refused: [{ proposalId: idOf("m1"), code: "row_damaged" }],
    },
  ]);
});

test("an item is read as it is shown for who opens it, and in words for what nobody waits for", async () => {
  const one = { type: "scout_item_request", proposalId: idOf("m1") };
  await answerFrame(ports, from, JSON.stringify({ ...one, id: newFrame() }));
  await answerFrame(ports, from, JSON.stringify({ ...one, id: newFrame(), background: true }));
  await ask("m2");
  expect(readings).toEqual(["shown", "words", "words"]);
});
