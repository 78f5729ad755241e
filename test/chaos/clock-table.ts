import { isScoutsError } from "../../events/errors.ts";
import { agentName } from "../../events/frames/agents.ts";
import { deviceId, runId, type ScoutId, scoutId, sessionId, type UserId } from "../../events/ids.ts";
import type { SyncMessage } from "../../events/queues.ts";
import { RunStore } from "../../shared/agents/run/run-store.ts";
import { ledgerKey } from "../../shared/keys.ts";
import { userIdOf } from "../../shared/privacy/opaque.ts";
import { RateLimit } from "../../shared/requests/rate-limit.ts";
import { SourceQuota } from "../../shared/scouts/quota/source-quota.ts";
import { ScoutStore } from "../../shared/scouts/scout-store.ts";
import { pollDueScouts } from "../../shared/scouts/sync/due.ts";
import { withWatchLease } from "../../shared/scouts/watch/watch-lease.ts";
import { newId } from "../memory/chance.ts";
import { noLog } from "../memory/log.ts";
import { MemoryQueue } from "../memory/queue.ts";
import { MemoryTable } from "../memory/table.ts";
import { type ClockRule, deviceRules } from "./clock-rules.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** The first minute of an hour, in which what lies too far ahead is looked for. */
const startMs = Date.UTC(2026, 2, 7, 18);
const ada: UserId = userIdOf("https://issuer.example/", "ada");
const inbox: ScoutId = scoutId.parse("sct_01KE5Q8600ESE4NYY1EVXDNQEA");
const scout = { userId: ada, scoutId: inbox, address: "a" };
const limits = { unitsPerMinute: 6_000, costs: { list: 5, read: 20, metadata: 5, watch: 100, archive: 5 } };

/** What a clock did between the write of a time and its reading. */
export const steps = [
  { name: "-2 d", writtenMs: startMs, readMs: startMs - 2 * dayMs },
  { name: "-10 min", writtenMs: startMs, readMs: startMs - 10 * minuteMs },
  { name: "+40 d", writtenMs: startMs, readMs: startMs + 40 * dayMs },
  { name: "+40 d, back", writtenMs: startMs + 40 * dayMs, readMs: startMs },
] as const;

export interface ClockRow {
  readonly rule: string;
  readonly step: string;
  /** How long whoever comes next has to wait. */
  readonly waitMs: number;
  /** The longest that the rule itself could have asked for. */
  readonly boundMs: number;
}

/** What `work` asks to be patient for; nothing when it goes through. */
async function waitOf(work: () => Promise<unknown>): Promise<number> {
  try {
    await work();
    return 0;
  } catch (error) {
    if (!isScoutsError(error)) throw error;
    return Number(error.data["retryAfterMs"]);
  }
}

async function quotaAfter(prepare: (quota: SourceQuota) => Promise<unknown>, writtenMs: number, readMs: number) {
  const ledger = new MemoryTable();
  let nowMs = writtenMs;
  await ledger.put({ ...ledgerKey.mailbox("a"), scouts: [inbox] });
  const quota = new SourceQuota(
    ledger,
    () => nowMs,
    () => 0.5,
  );
  await prepare(quota);
  nowMs = readMs;
  const taken = await quota.take(scout, limits, 20);
  return taken.granted ? 0 : taken.untilMs - nowMs;
}

const rules: readonly ClockRule[] = [
  {
    name: "requests of a person",
    boundMs: 50_000,
    async run(writtenMs, readMs) {
      let nowMs = writtenMs;
      const rate = new RateLimit(new MemoryTable(), () => nowMs);
      for (let asked = 0; asked < 100; asked += 1) await rate.take(ada);
      nowMs = readMs;
      return waitOf(() => rate.take(ada));
    },
  },
  {
    name: "a mailbox's units, spent",
    boundMs: 2 * minuteMs,
    run: (writtenMs, readMs) =>
      quotaAfter(
        async (quota) => {
          while ((await quota.take(scout, limits, 100)).granted);
        },
        writtenMs,
        readMs,
      ),
  },
  {
    name: "a mailbox that asked for 30 min",
    boundMs: hourMs + 2 * minuteMs,
    run: (writtenMs, readMs) => quotaAfter((quota) => quota.refused(scout, limits, 30 * minuteMs), writtenMs, readMs),
  },
  {
    name: "a mailbox that asked for ever",
    boundMs: hourMs + 2 * minuteMs,
    run: (writtenMs, readMs) => quotaAfter((quota) => quota.refused(scout, limits, 1e18), writtenMs, readMs),
  },
  {
    name: "the lease of a watch",
    boundMs: 6 * minuteMs,
    async run(writtenMs, readMs) {
      const ledger = new MemoryTable();
      let nowMs = writtenMs;
      await ledger.put({ ...ledgerKey.mailbox("a"), scouts: [inbox] });
      const log = { event: () => {}, error: () => {} };
      const ports = { ledger, clock: () => nowMs, newId, log };
      const died = () => Promise.reject(new Error("died"));
      await withWatchLease(ports, "a", "stop", died, () => true).catch(() => {});
      nowMs = readMs;
      const leased = await withWatchLease(
        ports,
        "a",
        "stop",
        async () => {},
        () => false,
      );
      return "done" in leased ? 0 : leased.busyUntilMs - nowMs;
    },
  },
  {
    name: "a step of a run whose worker died",
    boundMs: 5 * minuteMs,
    async run(writtenMs, readMs) {
      const runs = new RunStore(new MemoryTable());
      const id = { userId: ada, runId: runId.parse("run_01KE5Q8600ESE4NYY1EVXDNQED") };
      const device = deviceId.parse("dev_01KE5Q8600ESE4NYY1EVXDNQEB");
      const session = sessionId.parse("ses_01KE5Q8600ESE4NYY1EVXDNQEE");
      const agent = agentName.enum.home;
      await runs.create({ ...id, deviceId: device, sessionId: session, agent }, writtenMs);
      await runs.claim(id, 0, "first", writtenMs);
      for (let laterMs = 0; ; laterMs += minuteMs) {
        if (laterMs > dayMs || (await runs.claim(id, 0, "second", readMs + laterMs))) return laterMs;
      }
    },
  },
  {
    name: "a scout that is looked at by the clock",
    boundMs: hourMs,
    async run(writtenMs, readMs) {
      const ledger = new MemoryTable();
      let nowMs = writtenMs;
      const scouts = new ScoutStore(ledger);
      const sync = new MemoryQueue<SyncMessage>({ visibilityMs: minuteMs, maxReceives: 5, fifo: true }, () => nowMs);
      const row = { userId: ada, scoutId: inbox, sourceType: "feed" as const, sealed: "x", createdAt: 1 };
      await scouts.create({ ...row, revision: 0, failures: 0 });
      await scouts.connected(await scouts.get(ada, inbox), { address: "a", cursor: "c", dueAtMs: nowMs, nowMs });
      const ids = Array.from({ length: 1_000 }, (_, index) => String(index));
      const ports = { ledger, scouts, sync, clock: () => nowMs, newId: () => ids.pop() ?? "none", log: noLog };
      await pollDueScouts(ports);
      nowMs = readMs;
      for (; nowMs <= readMs + dayMs; nowMs += 5 * minuteMs) if ((await pollDueScouts(ports)) > 0) break;
      return nowMs - readMs;
    },
  },
];

/** What each rule makes of each step of the clock. */
export async function clockTable(): Promise<ClockRow[]> {
  const rows: ClockRow[] = [];
  for (const { name, boundMs, run } of [...rules, ...deviceRules]) {
    for (const step of steps) {
      rows.push({ rule: name, step: step.name, waitMs: await run(step.writtenMs, step.readMs), boundMs });
    }
  }
  return rows;
}
