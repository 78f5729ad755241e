import { expect, test } from "vitest";
import { failingIn, failingLine } from "../../../device/sources/trouble.ts";
import { ScoutsError } from "../../../events/errors.ts";
import type { ServerFrame } from "../../../events/frames/frames.ts";
import { parseKeyRing } from "../../../shared/privacy/key-ring.ts";
import { RingSealer } from "../../../shared/privacy/ring-sealer.ts";
import type { Listing, SourceConnector } from "../../../shared/scouts/connectors/connector.ts";
import { describeScout } from "../../../shared/scouts/describe-scout.ts";
import { sealProfile } from "../../../shared/scouts/scout-profile.ts";
import { ScoutStore } from "../../../shared/scouts/scout-store.ts";
import { syncScout } from "../../../shared/scouts/sync/sync.ts";
import { closedBreaker } from "../../memory/breaker.ts";
import { newId } from "../../memory/chance.ts";
import { noLog } from "../../memory/log.ts";
import { MemoryQueue } from "../../memory/queue.ts";
import { JudgingCloud } from "./judging-cloud.ts";
import { ada, nowMs as beganMs, inbox, newLedger } from "./setting.ts";

const minuteMs = 60_000;
const of = { userId: ada, scoutId: inbox };
const key = Buffer.alloc(32, 7).toString("base64");
const sealer = new RingSealer(parseKeyRing(JSON.stringify({ keys: [{ kid: "k1", key }] })));

const refused = () => new ScoutsError("reauth", { data: { mayPass: true } });

/** A scout on a mailbox, looked at whenever it is due. */
async function mailbox() {
  let nowMs = beganMs;
  let answer: () => Listing = () => ({ refs: [], cursor: "c1" });
  const [ledger, told] = [newLedger(), [] as ServerFrame[]];
  const scouts = new ScoutStore(ledger);
  const sealed = await sealProfile(sealer, of, { name: "Post", purpose: "p" });
  await scouts.create({ ...of, sourceType: "imap", sealed, createdAt: 1, revision: 0 });
  await scouts.connected(await scouts.get(ada, inbox), { address: "a", cursor: "c0", dueAtMs: nowMs, nowMs });
  const clock = () => nowMs;
  const connector = { sourceType: "imap", pollOnly: true, listNew: async () => answer() } as unknown as SourceConnector;
  const ports = {
    ledger,
    connectors: new Map([["imap", connector]]),
    breaker: closedBreaker,
    notices: { toEveryDevice: async (_: unknown, frames: readonly ServerFrame[]) => void told.push(...frames) },
    triage: new MemoryQueue<never>({ visibilityMs: minuteMs, maxReceives: 5 }, clock),
    sync: new MemoryQueue<never>({ visibilityMs: minuteMs, maxReceives: 5, fifo: true }, clock),
    clock,
    random: () => 0.5,
    newId,
    log: noLog,
  };
  const row = () => scouts.get(ada, inbox);
  return {
    told,
    row,
    answers(next: () => Listing) {
      answer = next;
    },
    lineNow: async () =>
      failingIn([await describeScout({ vault: async () => sealer }, await row())]).map((each) =>
        failingLine(each, nowMs),
      )[0],
    /** Looks whenever it is due for so long. @returns how often it looked */
    async pass(ms: number): Promise<number> {
      const untilMs = nowMs + ms;
      for (let looks = 0; ; looks += 1) {
        const { disabledCode, dueAt = untilMs } = await row();
        if (disabledCode !== undefined || dueAt >= untilMs) {
          nowMs = untilMs;
          return looks;
        }
        nowMs = Math.max(nowMs, dueAt);
        await syncScout(ports, of, () => 100_000);
      }
    },
  };
}

const refuses = () => {
  throw refused();
};

test("a sign-in that is refused in passing is told, and switches nobody off", async () => {
  const { row, answers, pass, lineNow, told } = await mailbox();
  answers(refuses);
  await pass(minuteMs);
  expect((await row()).disabledCode).toBeUndefined();
  expect(await lineNow()).toMatch(/: its sign-in was refused, .*\(reauth\).*scouts reconnect Post$/);
  answers(() => ({ refs: [], cursor: "c1" }));
  await pass(30 * minuteMs);
  expect(await lineNow()).toBeUndefined();
  expect(await row()).toMatchObject({ cursor: "c1" });
  expect(told).toEqual([]);
});

test("one that is refused for an hour, and each time, switches it off, with few tries", async () => {
  const { row, answers, pass, told } = await mailbox();
  answers(refuses);
  const looks = await pass(2 * 60 * minuteMs);
  expect(await row()).toMatchObject({ disabledCode: "reauth", cursor: "c0" });
  expect(told).toMatchObject([{ type: "scout_reauth_required", code: "reauth" }]);
  expect(looks).toBeGreaterThanOrEqual(3);
  // Some servers lock an account that is tried ten times.
  expect(looks).toBeLessThanOrEqual(6);
});

test("refusals that other failures stood between do not add up", async () => {
  const { row, answers, pass } = await mailbox();
  answers(refuses);
  await pass(minuteMs);
  answers(() => {
    throw new ScoutsError("source_unavailable");
  });
  await pass(5 * 60 * minuteMs);
  answers(refuses);
  await pass(20 * minuteMs);
  expect((await row()).disabledCode).toBeUndefined();
  expect(await row()).toMatchObject({ failureCode: "reauth" });
});

test("access that was withdrawn for good switches it off at once", async () => {
  const { row, answers, pass } = await mailbox();
  answers(() => {
    throw new ScoutsError("reauth");
  });
  expect(await pass(minuteMs)).toBe(1);
  expect(await row()).toMatchObject({ disabledCode: "reauth" });
});

test("P2: an item whose sign-in is refused in passing waits for it, spends nothing and switches nobody off", async () => {
  const cloud = await new JudgingCloud().begin();
  const { read } = cloud;
  cloud.read = () => Promise.reject(refused());
  await cloud.arrive("m1");
  await cloud.pass(45);
  expect((await new ScoutStore(cloud.ledger).get(ada, inbox)).disabledCode).toBeUndefined();
  cloud.read = read;
  await cloud.pass(20);
  expect(await cloud.row("m1")).toMatchObject({ status: "queued" });
  expect(cloud.asked).toEqual(["m1"]);
});
