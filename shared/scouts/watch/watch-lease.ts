import { ledgerKey } from "../../keys.ts";
import type { Clock, NewId } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import { changeOf } from "../../ports/row-change.ts";
import type { Condition, Table } from "../../ports/table.ts";

/**
 * Longer than its holder can live (two minutes: infra/queues.ts) with a request it has sent still on its way (twenty
 * seconds), by clocks that differ by seconds: when it lapses, nothing its holder asked of the source can happen any more.
 */
export const watchLeaseMs = 180_000;

export interface LeasePorts {
  readonly ledger: Table;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
}

/** What came of it, or until when somebody else holds the lease. */
export type Leased<T> = { readonly done: T } | { readonly busyUntilMs: number };

/** What a holder changes: two that set the watch up do each other no harm. */
export type WatchChange = "setUp" | "stop";

/** Whether what was asked of a source may still happen there although it failed here. */
export type MayStillHappen = (error: unknown) => boolean;

/** The lease as it stands in the mailbox's row. */
interface LeaseFacts {
  readonly watchHolder: string;
  readonly watchHeldFor: WatchChange;
  readonly watchHeldUntil: number;
}

interface Holder {
  readonly id: string;
  readonly change: WatchChange;
}

/**
 * Runs `work` while nobody else makes another change of what the source tells us of a mailbox: its scouts share one watch,
 * and setting it up and stopping it must not overlap. The lease stands in the mailbox's row, in one conditional write each
 * way:
 *
 *   pause A   takes ─ reads: nobody at work ─ stops ─ gives back
 *   resume B     at work ─ takes ✗ busy ─ … ───────────────────── takes ─ sets up ─ gives back
 *
 * A holder that dies keeps it until it lapses, and so does one whose request may still reach the source. Nobody can tell
 * that from one at work, so who wants to set the watch up does not wait for one that sets it up: a scout whose first run
 * died is told of its mail by the second. Then it is for nobody to give back, as the former's request may be on its way:
 *
 *   set up A  takes ─ asks †
 *   set up B             takes over ─ asks ─ done
 *   pause B                                     takes ✗ busy ─ … until B's lease lapses ─ takes ─ stops
 *
 * A mailbox without a row has nobody to share with.
 */
export async function withWatchLease<T>(
  ports: LeasePorts,
  address: string,
  change: WatchChange,
  work: () => Promise<T>,
  lingers: MayStillHappen,
): Promise<Leased<T>> {
  const id = ports.newId();
  const taken = await take(ports, address, { id, change });
  if (typeof taken === "number") return { busyUntilMs: taken };
  const end = async () => {
    if (taken === "alone") await release(ports, address, id);
  };
  try {
    const done = await work();
    await end();
    return { done };
  } catch (error) {
    if (!lingers(error)) await end();
    throw error;
  }
}

async function take(ports: LeasePorts, address: string, holder: Holder): Promise<"alone" | "shared" | number> {
  const { ledger, clock } = ports;
  const nowMs = clock();
  const key = ledgerKey.mailbox(address);
  const isFree: Condition = {
    any: [
      { absent: ["watchHeldUntil"] },
      { path: ["watchHeldUntil"], is: "<=", value: nowMs },
      // Longer than anybody may have it: its holder's clock has stepped back since.
      { path: ["watchHeldUntil"], is: ">", value: nowMs + 2 * watchLeaseMs },
    ],
  };
  if (await hold(ports, address, holder, nowMs, isFree)) return "alone";
  const row = await ledger.get(key);
  // A client that repeats its request meets its own lease.
  if (row?.["scouts"] === undefined || row["watchHolder"] === holder.id) return "alone";
  const isOpen: Condition = { any: [isFree, { path: ["watchHeldFor"], is: "=", value: "setUp" }] };
  if (holder.change === "setUp" && (await hold(ports, address, holder, nowMs, isOpen))) return "shared";
  const untilMs = row["watchHeldUntil"];
  return Math.max(typeof untilMs === "number" ? untilMs : 0, nowMs + 1000);
}

async function hold(
  { ledger }: LeasePorts,
  address: string,
  { id, change }: Holder,
  nowMs: number,
  when: Condition,
): Promise<boolean> {
  const held = changeOf<LeaseFacts>({
    set: { watchHolder: id, watchHeldFor: change, watchHeldUntil: nowMs + watchLeaseMs },
  });
  return (await ledger.update(ledgerKey.mailbox(address), held, { all: [{ exists: ["scouts"] }, when] })) !== false;
}

/** One that is not given back lapses: what was done under it stands. */
async function release({ ledger, log }: LeasePorts, address: string, id: string): Promise<void> {
  try {
    const change = changeOf<LeaseFacts>({ remove: ["watchHolder", "watchHeldFor", "watchHeldUntil"] });
    await ledger.update(ledgerKey.mailbox(address), change, { path: ["watchHolder"], is: "=", value: id });
  } catch (error) {
    log.error("watch_lease_not_released", error);
  }
}
