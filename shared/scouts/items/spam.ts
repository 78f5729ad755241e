import { ScoutsError } from "../../../events/errors.ts";
import type { DismissedAtSource, SpamListResponse } from "../../../events/http/items.ts";
import type { ItemRef } from "../../../events/ids.ts";
import type { SpamReasonCode } from "../../../events/proposals/verdict.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { ScoutRow } from "../scout-row.ts";
import type { ProposalSender } from "../triage/triage-batch.ts";
import type { ItemRow } from "./item-row.ts";
import { type ReadDismissedPorts, readDismissed } from "./read-dismissed.ts";
import type { SpamStore } from "./spam-store.ts";

export interface SpamPorts extends ReadDismissedPorts {
  readonly spam: SpamStore;
  readonly sender: Pick<ProposalSender, "sendAgain">;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * What a scout has dismissed, newest first: ids, codes and times.
 *
 * @param page with `read`, sender and subject as the source shows them are put beside, for this answer only; that a row is damaged
 *   is said in their place, asked or not
 */
export async function listSpam(
  ports: Pick<SpamPorts, "spam" | "connectors" | "quota">,
  scout: ScoutRow,
  page: { after: string | undefined; limit: number; read?: boolean },
): Promise<{ items: SpamListResponse["items"]; last?: string }> {
  const { rows, last } = await ports.spam.list(scout, page.after, page.limit);
  const whole = rows.filter((row) => !isDamaged(row));
  const read = page.read ? await readDismissed(ports, scout, whole) : [];
  const said = new Map<ItemRow, DismissedAtSource | undefined>(whole.map((row, at) => [row, read[at]]));
  const items = rows.map((row) => {
    const atSource = isDamaged(row) ? damaged : said.get(row);
    return {
      ref: row.ref,
      reasonCode: reasonOf(row),
      confidence: row.confidence ?? 0,
      triagedAt: row.triagedAt ?? 0,
      trashedAt: row.trashedAt ?? null,
      keptBecause: row.keptBecause ?? null,
      ...(atSource && { atSource }),
    };
  });
  return last === undefined ? { items } : { items, last };
}

/**
 * Takes an item back out of Trash and turns its verdict to relevant: it becomes a proposal. The source comes first, so
 * that dying in between leaves an item that is in the inbox and still listed, and restoring it again ends it.
 *
 * @throws proposal_not_found, item_gone, consent_incomplete, `source_*`; nothing has changed then
 */
export async function restoreSpam(ports: SpamPorts, scout: ScoutRow, ref: ItemRef): Promise<void> {
  const id = { userId: scout.userId, scoutId: scout.scoutId, ref };
  const row = await ports.spam.find(id);
  if (row && wasRestored(row)) return;
  if (row?.status !== "spam") throw new ScoutsError("proposal_not_found");
  if (row.trash !== undefined) await ports.connectors.get(row.sourceType)?.archive?.restore(scout, ref);
  const restored = await ports.spam.restored(id, ports.clock());
  if (!restored) {
    const now = await ports.spam.find(id);
    if (now && wasRestored(now)) return;
    throw new ScoutsError("conflict");
  }
  try {
    await ports.sender.sendAgain([restored]);
  } catch (error) {
    // The shortcut only: a device that misses it pulls.
    ports.log.error("restored_proposal_not_sent", error, { scoutId: scout.scoutId, ref });
  }
}

const damaged: DismissedAtSource = { code: "row_damaged" };

/** What was read of a row is of a verdict, which has no such code. */
const isDamaged = ({ code }: ItemRow): boolean => code === "row_damaged";

/** Restoring twice is restoring once. */
function wasRestored(row: ItemRow): boolean {
  return row.restoredAt !== undefined && row.status !== "spam";
}

/** A verdict's: what is shown unjudged is no spam. */
function reasonOf({ reasonCode }: ItemRow): SpamReasonCode {
  return reasonCode === undefined || reasonCode === "unjudged" ? "other" : reasonCode;
}
