import * as z from "zod";
import { ScoutsError } from "../../../events/errors.ts";
import { scoutId } from "../../../events/ids.ts";
import { ttl } from "../../index-entries.ts";
import { ledgerKey } from "../../keys.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Condition, Key, Table } from "../../ports/table.ts";
import { noLongerAhead } from "../../until.ts";
import type { ScoutAtSource } from "../connectors/connector.ts";

/** Longer than any function runs that holds one; after a crash the source can be added again this much later. */
const holdMs = 60_000;
const keptSeconds = 86_400;

const maxTries = 3;

const holdRow = z.object({ scoutId });

interface HoldPorts {
  readonly ledger: Table;
  readonly clock: Clock;
}

/**
 * Puts a scout on a source while nobody else of the same person does. Whoever looks for another scout and then writes one
 * looks and writes under this, so of two at the same instant one is first:
 *
 *   A  holds ✓ ─ looks: none ─ writes its scout ─ lets go
 *   B      holds ✗ → source_in_use                        (or, a little later: holds ✓ ─ looks: A's → source_in_use)
 *
 * @param work looks for another scout on the source, and writes this one
 * @throws source_in_use with the id of the scout that is being put on it
 */
export async function holdingSource<T>(
  { ledger, clock }: HoldPorts,
  of: ScoutAtSource,
  blindAddress: string,
  work: () => Promise<T>,
): Promise<T> {
  const key = ledgerKey.sourceHold(of.userId, blindAddress);
  const mine = { path: ["scoutId"], is: "=", value: of.scoutId } as const;
  await hold({ ledger, clock }, of, key);
  try {
    return await work();
  } finally {
    await ledger.delete(key, mine);
  }
}

async function hold({ ledger, clock }: HoldPorts, { scoutId: scout }: ScoutAtSource, key: Key): Promise<void> {
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
    if (held) throw new ScoutsError("source_in_use", { data: { scoutId: holdRow.parse(held).scoutId } });
    // It was let go in between: what its holder has written is seen under a hold of one's own.
  }
  throw new ScoutsError("conflict");
}
