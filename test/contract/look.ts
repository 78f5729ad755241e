import { stateOf } from "../../device/sources/state.ts";
import { failingIn, failingLine } from "../../device/sources/trouble.ts";
import type { ErrorCode } from "../../events/error-kinds.ts";
import type { SyncMessage, TriageMessage } from "../../events/queues.ts";
import type { ScoutAtSource, SourceConnector } from "../../shared/scouts/connectors/connector.ts";
import { describeScout } from "../../shared/scouts/describe-scout.ts";
import { sealProfile } from "../../shared/scouts/scout-profile.ts";
import { ScoutStore } from "../../shared/scouts/scout-store.ts";
import { syncScout } from "../../shared/scouts/sync/sync.ts";
import { closedBreaker } from "../memory/breaker.ts";
import { newId } from "../memory/chance.ts";
import { MemoryQueue } from "../memory/queue.ts";
import { MemoryTable } from "../memory/table.ts";
import { vault as newVault } from "./connector-fixtures.ts";

/** What the owner of a scout sees after a look at its source. */
export interface Looked {
  readonly state: string;
  readonly code: ErrorCode | null;
  /** Until the next look. */
  readonly waitMs: number;
  /** The line a person reads; empty where there is none. */
  readonly line: string;
  /** Items that were queued to be judged. */
  readonly queued: number;
}

/** One look of the engine, with the rows of a scout of its own: what comes of it is what the product shows. */
export async function lookOnce(connector: SourceConnector, scout: ScoutAtSource, cursor: string): Promise<Looked> {
  const nowMs = Date.now();
  const clock = () => nowMs;
  const ledger = new MemoryTable({ recent: ["status"] });
  const scouts = new ScoutStore(ledger);
  const vault = newVault();
  const sealed = await sealProfile(await vault(), scout, { name: "Post", purpose: "What matters?" });
  const { sourceType } = connector;
  await scouts.create({ ...scout, sourceType, sealed, createdAt: 1, revision: 0, watchExpiresAt: nowMs * 2 });
  await scouts.connected(await scouts.get(scout.userId, scout.scoutId), {
    address: "a",
    cursor,
    dueAtMs: nowMs,
    nowMs,
  });
  await scouts.watched(scout.userId, scout.scoutId, nowMs * 2);
  const triage = new MemoryQueue<TriageMessage>({ visibilityMs: 60_000, maxReceives: 5 }, clock);
  const sync = new MemoryQueue<SyncMessage>({ visibilityMs: 60_000, maxReceives: 5, fifo: true }, clock);
  const ports = {
    ledger,
    connectors: new Map([[sourceType, connector]]),
    breaker: closedBreaker,
    notices: { toEveryDevice: async () => {} },
    triage,
    sync,
    clock,
    random: () => 0.5,
    newId,
    log: { event: () => {}, error: () => {} },
  };
  await syncScout(ports, scout, () => 100_000);
  const shown = await describeScout({ vault }, await scouts.get(scout.userId, scout.scoutId));
  const { state, code } = stateOf(shown);
  const line = failingIn([shown]).map((each) => failingLine(each, nowMs))[0] ?? "";
  return { state, code, waitMs: (shown.nextRunAt ?? nowMs) - nowMs, line, queued: triage.length };
}
