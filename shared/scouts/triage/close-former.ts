import { joinProposalId } from "../../../events/ids.ts";
import { type ItemRow, open } from "../items/item-row.ts";
import type { ItemId } from "../items/item-store.ts";
import type { TriagePorts } from "./triage.ts";

type Ports = Pick<TriagePorts, "connectors" | "items" | "notices" | "clock" | "log">;

/** Ends that leave nothing to show in the place of what was before. */
const ends: ReadonlySet<ItemRow["status"]> = new Set(["gone", "dead"]);

/**
 * Ends what items were before they were whole, which is gone at its source: proposals are closed, and what still waits for a
 * verdict gets none. Before the items themselves are shown, so that nobody is asked twice about one thing.
 *
 * @param rows items that have their result
 * @returns those of which something could not be ended: their message has to come again
 */
export async function closeFormer(ports: Ports, rows: readonly ItemRow[]): Promise<ReadonlySet<ItemRow>> {
  const failed = new Set<ItemRow>();
  for (const row of rows.filter(({ status }) => !ends.has(status))) {
    const { userId, scoutId, sourceType } = row;
    try {
      for (const ref of ports.connectors.get(sourceType)?.formerRefs?.(row.ref) ?? []) {
        await end(ports, { userId, scoutId, ref }, sourceType);
      }
    } catch (error) {
      ports.log.error("former_not_closed", error, { scoutId, ref: row.ref });
      failed.add(row);
    }
  }
  return failed;
}

/**
 * Two workers, one on a beginning that was read and one on the whole, end as one proposal whoever is first:
 *
 *   A  reads the beginning ─ asks the model ──────────────── writes ✗: it is gone
 *   B      judges the whole ─ no verdict there yet: gone ✓
 *
 *   A  reads the beginning ─ asks the model ─ writes ✓: proposed
 *   B      judges the whole ─────────────────────────────── there is a verdict: closed ✓
 */
async function end({ items, notices, clock }: Ports, id: ItemId, sourceType: string): Promise<void> {
  if (await items.end(id, { status: "gone", sourceType, code: "item_gone", isReplaced: true }, clock())) return;
  const [row] = await items.getMany([id]);
  if (row === undefined || !open.some((status) => status === row.status)) return;
  if (!(await items.close(row, "gone", clock()))) return;
  const { userId, scoutId, ref, round } = row;
  const proposalId = joinProposalId(scoutId, ref);
  await notices.toEveryDevice(userId, [{ type: "scout_proposal_closed", proposalId, round, reason: "gone" }]);
}
