import { scoutId } from "../../../events/ids.ts";
import { scoutOfKey } from "../../keys.ts";
import { tellDamage } from "../../stored-row.ts";
import type { ItemRow } from "../items/item-row.ts";
import type { TriagePorts } from "./triage.ts";

type Ports = Pick<TriagePorts, "items" | "scouts" | "clock" | "log">;

/** Of some items those that may be shown, and those of which it is not known: their messages have to come again. */
export interface Showable {
  readonly shown: ReadonlySet<ItemRow>;
  readonly unknown: ReadonlySet<ItemRow>;
}

/**
 * Closes what was judged while its person removed the scout, since nobody could read or decide it any more. Whoever removes a scout
 * marks it before they remove its rows, and here it is read after the row was written, so that one of the two meets the row:
 *
 *   worker   judges ──── writes the row ─ reads the scout: there           judges ─ writes the row ─ reads: marked, or gone ─ closes it
 *   removal                                  marks ─ removes the rows ✓    marks ─ removes the rows ─ … ─ the scout
 *
 * @param rows that are open; one of a damaged scout, which is there, is shown
 */
export async function closeRemoved(ports: Ports, rows: readonly ItemRow[]): Promise<Showable> {
  if (rows.length === 0) return { shown: new Set(), unknown: new Set() };
  try {
    const ids = new Map(rows.map((row) => [row.scoutId, row]));
    const { rows: scouts, damaged } = await ports.scouts.getEach([...ids.values()]);
    for (const { error } of damaged) tellDamage(error, ports.log, "triage");
    const stays = new Set([
      ...scouts.filter(({ deleting }) => deleting !== true).map((scout) => scout.scoutId),
      ...damaged.map(({ row }) => scoutId.parse(scoutOfKey(row))),
    ]);
    const removed = rows.filter((row) => !stays.has(row.scoutId));
    await Promise.all(removed.map((row) => ports.items.close(row, "gone", ports.clock())));
    return { shown: new Set(rows.filter((row) => !removed.includes(row))), unknown: new Set() };
  } catch (error) {
    ports.log.error("removed_not_closed", error, { count: rows.length });
    return { shown: new Set(), unknown: new Set(rows) };
  }
}
