import { ulid } from "ulidx";
import { ledgerKey } from "../keys.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { Condition, Table } from "../ports/table.ts";

/**
 * Longer than its holder can live (two minutes: infra/queues.ts) with a request it has sent still on its way (twenty
 * seconds), by clocks that differ by seconds: when it lapses, nothing its holder asked of the source can happen any more.
 */
export const watchLeaseMs = 180_000;

export interface LeasePorts {
  readonly ledger: Table;
  readonly clock: Clock;
  readonly log: Log;
}

/** What came of it, or until when somebody else holds the lease. */
export type Leased<T> = { readonly done: T } | { readonly busyUntilMs: number };

/** Whether what was asked of a source may still happen there although it failed here. */
export type Lingers = (error: unknown) => boolean;

/**
 * Runs `work` while nobody else changes what the source tells us of a mailbox: its scouts share one watch, and setting it
 * up and stopping it must not overlap. The lease stands in the mailbox's row, in one conditional write each way:
 *
 *   pause A   takes ─ reads: nobody at work ─ stops ─ gives back
 *   resume B     at work ─ takes ✗ busy ─ … ───────────────────── takes ─ sets up ─ gives back
 *
 * A holder that dies keeps it until it lapses, and so does one whose request may still reach the source. A mailbox
 * without a row has nobody to share with.
 */
export async function withWatchLease<T>(
  ports: LeasePorts,
  address: string,
  work: () => Promise<T>,
  lingers: Lingers,
  id: string = ulid(),
): Promise<Leased<T>> {
  const busyUntilMs = await take(ports, address, id);
  if (busyUntilMs !== undefined) return { busyUntilMs };
  try {
    const done = await work();
    await giveBack(ports, address, id);
    return { done };
  } catch (error) {
    if (!lingers(error)) await giveBack(ports, address, id);
    throw error;
  }
}

async function take({ ledger, clock }: LeasePorts, address: string, id: string): Promise<number | undefined> {
  const nowMs = clock();
  const key = ledgerKey.mailbox(address);
  const isFree: Condition = {
    any: [{ absent: ["watchHeldUntil"] }, { path: ["watchHeldUntil"], is: "<=", value: nowMs }],
  };
  const held = {
    set: [
      [["watchHolder"], id],
      [["watchHeldUntil"], nowMs + watchLeaseMs],
    ],
  } as const;
  if (await ledger.update(key, held, { all: [{ exists: ["scouts"] }, isFree] })) return undefined;
  const row = await ledger.get(key);
  // A client that repeats its request meets its own lease.
  if (row?.["scouts"] === undefined || row["watchHolder"] === id) return undefined;
  const untilMs = row["watchHeldUntil"];
  return Math.max(typeof untilMs === "number" ? untilMs : 0, nowMs + 1000);
}

/** One that is not given back lapses: what was done under it stands. */
async function giveBack({ ledger, log }: LeasePorts, address: string, id: string): Promise<void> {
  try {
    const change = { remove: [["watchHolder"], ["watchHeldUntil"]] } as const;
    await ledger.update(ledgerKey.mailbox(address), change, { path: ["watchHolder"], is: "=", value: id });
  } catch (error) {
    log.error("watch_lease_not_given_back", error);
  }
}
