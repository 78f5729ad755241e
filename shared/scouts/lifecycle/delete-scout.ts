import { isScoutsError, ScoutsError } from "../../../events/errors.ts";
import type { ScoutId, UserId } from "../../../events/ids.ts";
import { due } from "../../index-entries.ts";
import { ledgerKey, ledgerPrefix } from "../../keys.ts";
import type { Clock, NewId } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import { changeOf } from "../../ports/row-change.ts";
import type { Item, Table } from "../../ports/table.ts";
import type { ConnectorRegistry, ScoutAtSource } from "../connectors/connector.ts";
import type { ScoutRow, StoredScout } from "../scout-row.ts";
import type { ScoutStore } from "../scout-store.ts";
import type { TrialStore } from "../trial/trial-store.ts";
import type { MailboxStore } from "../watch/mailbox-store.ts";
import { giveUpWatch } from "../watch/watch.ts";
import type { Notices } from "./disable-scout.ts";

const pageSize = 100;
/** A deletion that dies leaves a watch behind, which is given up after so long. */
const graceMs = 60_000;

export interface DeleteScoutPorts {
  readonly ledger: Table;
  readonly scouts: ScoutStore;
  readonly mailboxes: MailboxStore;
  readonly connectors: ConnectorRegistry;
  /** By source type: gives back what the person has granted. */
  readonly releases: ReadonlyMap<string, (scout: ScoutAtSource) => Promise<void>>;
  /** What was tried with it. */
  readonly trials: Pick<TrialStore, "forget">;
  readonly notices: Notices;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
}

/**
 * Deletes a scout: stops the watch (with the last scout at work on the mailbox) and gives the access back (with the last
 * one of all), removes its rows, and its own row last of all, so that whoever dies in between is followed by whoever asks
 * again:
 *
 *   mark ─▶ give the watch up ─▶ leave the mailbox ─▶ last there? revoke ─▶ vault ─▶ trials, items, runs ─▶ tell ─▶ the scout
 *
 * The devices are told when there is nothing left that could still be delivered to them. One that is away hears of it when
 * it asks about its proposals, or decides one: see shared/devices/frames/removed-scouts.ts.
 *
 * Every step may be repeated, and whether the scout was the last is read from what the step before has left.
 *
 * @param untilMs when to stop removing rows, on the ports' clock
 * @returns whether everything is gone; else ask again
 * @throws `source_*` when the source does not answer, conflict while somebody else is changing the mailbox's watch: the
 * scout is marked, rests, and can be deleted later
 */
export async function deleteScout(
  ports: DeleteScoutPorts,
  user: UserId,
  scout: ScoutId,
  untilMs: number,
): Promise<boolean> {
  const row = await ports.scouts.find(user, scout);
  if (!row) return true;
  await mark(ports, row);
  for (const address of [row.formerAddress, row.address]) {
    if (address !== undefined) await leave(ports, row, address);
  }
  await ports.ledger.delete(ledgerKey.vault(user, scout));
  await ports.trials.forget(user, scout);
  const { pk } = ledgerKey.user(user);
  const ofScout = (item: Item) => item["scoutId"] === scout;
  const removed =
    (await removeAll(ports, pk, ledgerPrefix.itemsOf(scout), () => true, untilMs)) &&
    (await removeAll(ports, pk, ledgerPrefix.runs, ofScout, untilMs));
  if (!removed) return false;
  // A consent may have ended meanwhile: what it granted is kept before it is looked whether the scout is there.
  await ports.ledger.delete(ledgerKey.vault(user, scout));
  await ports.notices.toEveryDevice(user, [{ type: "scout_removed", scoutId: scout }]);
  await ports.ledger.delete(ledgerKey.scout(user, scout));
  return true;
}

/** From here on no worker does anything for it but give its watch up. */
async function mark({ ledger, clock }: DeleteScoutPorts, row: ScoutRow): Promise<void> {
  await ledger.update(
    ledgerKey.scout(row.userId, row.scoutId),
    changeOf<StoredScout>({
      set: { deleting: true, disabledCode: "scout_deleting", ...due.at("scout", row.scoutId, clock() + graceMs) },
    }),
    { exists: ["pk"] },
  );
}

/** @throws conflict while somebody else is changing the mailbox's watch; `source_*` */
async function leave(ports: DeleteScoutPorts, row: ScoutRow, address: string): Promise<void> {
  const busyUntilMs = await giveUpWatch(ports, row, address);
  if (busyUntilMs !== undefined) {
    throw new ScoutsError("conflict", { data: { retryAfterMs: busyUntilMs - ports.clock() } });
  }
  if (await ports.mailboxes.remove(address, row.scoutId, ports.clock())) await release(ports, { ...row, address });
}

/** What can never succeed (access is withdrawn already, say) does not keep a person from deleting. */
async function release(ports: DeleteScoutPorts, row: ScoutRow): Promise<void> {
  try {
    await ports.releases.get(row.sourceType)?.(row);
  } catch (error) {
    if (!isScoutsError(error) || error.kind.retry !== "never") throw error;
    ports.log.error("access_not_revoked", error, { scoutId: row.scoutId });
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
