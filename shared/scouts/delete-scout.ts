import { isScoutsError } from "../../events/errors.ts";
import type { ScoutId, UserId } from "../../events/ids.ts";
import { ledgerKey, ledgerPrefix } from "../keys.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { Item, Table } from "../ports/table.ts";
import type { ConnectorRegistry, ScoutAtSource } from "./connectors/connector.ts";
import type { MailboxStore } from "./mailbox-store.ts";
import type { ScoutRow } from "./scout-row.ts";
import type { ScoutStore } from "./scout-store.ts";

const pageSize = 100;

export interface DeleteScoutPorts {
  readonly ledger: Table;
  readonly scouts: ScoutStore;
  readonly mailboxes: MailboxStore;
  readonly connectors: ConnectorRegistry;
  /** By source type: gives back what the person has granted. */
  readonly releases: ReadonlyMap<string, (scout: ScoutAtSource) => Promise<void>>;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Deletes a scout: stops the watch and gives the access back (with the last scout on the mailbox), removes its rows, and
 * its own row last of all, so that whoever dies in between is followed by whoever asks again:
 *
 *   mark ─▶ leave the mailbox ─▶ last there? stop, revoke ─▶ vault ─▶ items, runs ─▶ the scout
 *
 * Every step may be repeated, and whether the scout was the last is read from what the step before has left.
 *
 * @param untilMs when to stop removing rows, on the ports' clock
 * @returns whether everything is gone; else ask again
 * @throws `source_*` when the source does not answer: the scout is marked, rests, and can be deleted later
 */
export async function deleteScout(
  ports: DeleteScoutPorts,
  user: UserId,
  scout: ScoutId,
  untilMs: number,
): Promise<boolean> {
  const row = await ports.scouts.find(user, scout);
  if (!row) return true;
  await mark(ports.ledger, row);
  if (await leavesMailbox(ports, row)) await letGo(ports, row);
  await ports.ledger.delete(ledgerKey.vault(user, scout));
  const { pk } = ledgerKey.user(user);
  const ofScout = (item: Item) => item["scoutId"] === scout;
  const removed =
    (await removeAll(ports, pk, ledgerPrefix.itemsOf(scout), () => true, untilMs)) &&
    (await removeAll(ports, pk, ledgerPrefix.runs, ofScout, untilMs));
  if (removed) await ports.ledger.delete(ledgerKey.scout(user, scout));
  return removed;
}

/** From here on no worker does anything for it. */
async function mark(ledger: Table, row: ScoutRow): Promise<void> {
  await ledger.update(
    ledgerKey.scout(row.userId, row.scoutId),
    {
      set: [
        [["deleting"], true],
        [["disabledCode"], "scout_deleting"],
      ],
      remove: [["dueShard"], ["dueAt"]],
    },
    { exists: ["pk"] },
  );
}

/** Whether nobody watches the scout's mailbox any more, once it has left. */
async function leavesMailbox({ mailboxes, clock }: DeleteScoutPorts, row: ScoutRow): Promise<boolean> {
  return row.address !== undefined && mailboxes.remove(row.address, row.scoutId, clock());
}

async function letGo(ports: DeleteScoutPorts, row: ScoutRow): Promise<void> {
  await unlessFinal(ports, row, async () => ports.connectors.get(row.sourceType)?.stopWatch(row));
  await unlessFinal(ports, row, async () => ports.releases.get(row.sourceType)?.(row));
}

/** What can never succeed (access is withdrawn already, say) does not keep a person from deleting. */
async function unlessFinal(ports: DeleteScoutPorts, row: ScoutRow, step: () => Promise<unknown>): Promise<void> {
  try {
    await step();
  } catch (error) {
    if (!isScoutsError(error) || error.kind.retry !== "never") throw error;
    ports.log.error("access_not_given_back", error, { scoutId: row.scoutId });
  }
}

/** @returns whether all of them are gone */
async function removeAll(
  ports: DeleteScoutPorts,
  hash: string,
  prefix: string,
  which: (item: Item) => boolean,
  untilMs: number,
): Promise<boolean> {
  let start: Item | undefined;
  do {
    const page = await ports.ledger.query({
      hash,
      prefix,
      limit: pageSize,
      consistent: true,
      ...(start ? { start } : {}),
    });
    await Promise.all(page.items.filter(which).map(({ pk, sk }) => ports.ledger.delete({ pk, sk })));
    start = page.next;
    if (start && ports.clock() >= untilMs) return false;
  } while (start);
  return true;
}
