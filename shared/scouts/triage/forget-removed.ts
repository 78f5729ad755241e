import { scoutId } from "../../../events/ids.ts";
import { scoutOfKey } from "../../keys.ts";
import { tellDamage } from "../../stored-row.ts";
import type { ItemRow } from "../items/item-row.ts";
import type { TriagePorts } from "./triage.ts";

type Ports = Pick<TriagePorts, "items" | "scouts" | "log">;

/** Of some items those whose scout is there, and those of which it is not known: their messages have to come again. */
export interface Known {
  readonly stay: ReadonlySet<ItemRow>;
  readonly unknown: ReadonlySet<ItemRow>;
}

/**
 * Removes what was written of items while their person removed the scout: nobody could read or decide them any more, and nothing of a
 * removed scout is to be left. Whoever removes a scout marks it before they remove its rows, and here it is read after the row was
 * written, so that one of the two meets the row:
 *
 *   worker   judges ──── writes the row ─ reads the scout: there          judges ─ writes the row ─ reads: marked, or gone ─ removes it
 *   removal                                  marks ─ removes the rows ✓   marks ─ removes the rows ─ … ─ the scout
 *
 * @param rows as this batch has them; those of a damaged scout, which is there, stay
 */
export async function forgetRemoved(ports: Ports, rows: readonly ItemRow[]): Promise<Known> {
  if (rows.length === 0) return { stay: new Set(), unknown: new Set() };
  try {
    const ids = new Map(rows.map((row) => [row.scoutId, row]));
    const { rows: scouts, damaged } = await ports.scouts.getEach([...ids.values()]);
    for (const { error } of damaged) tellDamage(error, ports.log, "triage");
    const there = new Set([
      ...scouts.filter(({ deleting }) => deleting !== true).map((scout) => scout.scoutId),
      ...damaged.map(({ row }) => scoutId.parse(scoutOfKey(row))),
    ]);
    const stay = new Set(rows.filter((row) => there.has(row.scoutId)));
    await Promise.all(rows.filter((row) => !stay.has(row)).map((row) => ports.items.forget(row)));
    return { stay, unknown: new Set() };
  } catch (error) {
    ports.log.error("removed_not_forgotten", error, { count: rows.length });
    return { stay: new Set(), unknown: new Set(rows) };
  }
}
