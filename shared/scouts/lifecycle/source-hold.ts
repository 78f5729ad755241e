import * as z from "zod";
import { ScoutsError } from "../../../events/errors.ts";
import { scoutId } from "../../../events/ids.ts";
import { ttl } from "../../index-entries.ts";
import { ledgerKey, scoutOfKey } from "../../keys.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Condition, Table } from "../../ports/table.ts";
import { storedRow } from "../../stored-row.ts";
import { noLongerAhead } from "../../until.ts";
import type { ScoutAtSource } from "../connectors/connector.ts";
import type { ScoutStore } from "../scout-store.ts";

/** Longer than any function runs that holds one; after a crash the source can be added again this much later. */
const holdMs = 60_000;
const keptSeconds = 86_400;

const maxTries = 3;

const holdRow = z.object({ scoutId, until: z.number() });

interface HoldPorts {
  readonly ledger: Table;
  readonly scouts: ScoutStore;
  readonly clock: Clock;
}

/**
 * Two scouts of one person on one source would propose everything twice.
 *
 * @param others what a scout on it may be known as as well
 * @throws source_in_use with the other scout's id; scout_deleting with the id of one that is being removed: the source is free once
 * that has ended, and what its deletion gives back at the source is not taken from a new scout
 */
export async function refuseSecondScout(
  scouts: ScoutStore,
  of: ScoutAtSource,
  blindAddress: string,
  others: readonly string[] = [],
): Promise<void> {
  const { rows, damaged } = await scouts.listEach(of.userId);
  // Of a damaged row what it says of its source counts, if anything: it keeps no other source from being added.
  const torn = damaged.map(({ row }) => ({
    scoutId: scoutOfKey(row),
    address: row["address"],
    deleting: row["deleting"],
  }));
  const known: ReadonlySet<unknown> = new Set([blindAddress, ...others]);
  const there = [...rows, ...torn].filter(({ scoutId, address }) => scoutId !== of.scoutId && known.has(address));
  const first = there.find(({ deleting }) => deleting !== true) ?? there[0];
  if (!first) return;
  const code = first.deleting === true ? "scout_deleting" : "source_in_use";
  throw new ScoutsError(code, { data: { scoutId: first.scoutId } });
}

/**
 * Puts a scout on a source while nobody else of the same person does. Whether another scout is there is looked at under
 * this, and the scout is written under this, so of two at the same instant one is first:
 *
 *   A  holds ✓ ─ looks: none ─ writes its scout ─ lets go
 *   B      holds ✗ → source_in_use                        (or, a little later: holds ✓ ─ looks: A's → source_in_use)
 *
 * @param work writes the scout
 * @throws source_in_use with the id of the scout that is there; with that of one that is being put there, `retryAfterMs`: until when at
 * the longest; scout_deleting; conflict
 */
export async function holdingSource<T>(
  ports: HoldPorts,
  of: ScoutAtSource,
  blindAddress: string,
  work: () => Promise<T>,
): Promise<T> {
  const key = ledgerKey.sourceHold(of.userId, blindAddress);
  const mine = { path: ["scoutId"], is: "=", value: of.scoutId } as const;
  await hold(ports, of, blindAddress);
  try {
    await refuseSecondScout(ports.scouts, of, blindAddress);
    return await work();
  } finally {
    await ports.ledger.delete(key, mine).catch(() => {
      // It lapses by itself: a scout that is made is made, and what went wrong before is what its person is told.
    });
  }
}

async function hold({ ledger, scouts, clock }: HoldPorts, of: ScoutAtSource, blindAddress: string): Promise<void> {
  const key = ledgerKey.sourceHold(of.userId, blindAddress);
  const { scoutId: scout } = of;
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const nowMs = clock();
    const row = { ...key, scoutId: scout, until: nowMs + holdMs, ...ttl.after(nowMs, keptSeconds) };
    const free: Condition = {
      any: [
        { absent: ["pk"] },
        noLongerAhead(["until"], nowMs, holdMs),
        // The same request, made twice.
        { path: ["scoutId"], is: "=", value: scout },
      ],
    };
    if (await ledger.put(row, free)) return;
    const held = await ledger.get(key);
    if (held) {
      // Its holder may be about to find another's scout there itself: that one is named, not one that will never be.
      await refuseSecondScout(scouts, of, blindAddress);
      const { scoutId: holder, until } = storedRow(held, (stored) => holdRow.parse(stored));
      // Nobody knows whether its holder has died: where it has, the source is free that much later.
      throw new ScoutsError("source_in_use", {
        data: { scoutId: holder, retryAfterMs: Math.max(until - nowMs, 1_000) },
      });
    }
    // It was let go in between: what its holder has written is seen under a hold of one's own.
  }
  throw new ScoutsError("conflict");
}
