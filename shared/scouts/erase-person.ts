import { isScoutsError } from "../../events/errors.ts";
import { type ScoutId, scoutId, type UserId } from "../../events/ids.ts";
import { ledgerKey, ledgerPrefix, scoutOfKey } from "../keys.ts";
import type { Clock } from "../ports/clock.ts";
import { everyItem } from "../ports/every-item.ts";
import { changeOf } from "../ports/row-change.ts";
import type { Item, Table } from "../ports/table.ts";
import type { StoredScout } from "./scout-row.ts";
import { MailboxStore } from "./watch/mailbox-store.ts";

const pageSize = 100;
/** Workers that are at something of the person write once more; who does so after the last pass is met by whoever asks again. */
const mostPasses = 10;

export interface ErasePorts {
  readonly ledger: Table;
  readonly clock: Clock;
}

/** What there is of a person. */
export interface Held {
  readonly scouts: number;
  /** Rows, those of scouts among them. */
  readonly rows: number;
}

/** What was there of a person. */
export interface Erased extends Held {
  /** Whether nothing was found any more at last; else something writes for them still. */
  readonly isAll: boolean;
  /** Rows of mailboxes that are damaged and may name them still, as `pk sk`: nothing leads there any more, so they are told. */
  readonly damaged: readonly string[];
}

/**
 * Erases all that a Ledger holds of a person, for operators: what a person does by removing each scout, and what stays then (tokens
 * used, tier, when last seen). Access that sources have granted is not given back, which only the functions can: its token is
 * gone. What Sessions holds ends by itself within a day. May be asked for again, also after it died in the middle, and is to be:
 * workers may write for minutes more.
 */
export async function erasePerson({ ledger, clock }: ErasePorts, user: UserId): Promise<Erased> {
  const scouts = await scoutsOf(ledger, user);
  const mailboxes = new MailboxStore(ledger);
  const damaged = new Set<string>();
  for (const row of scouts) {
    // No worker begins anything for it from here on.
    const mark = changeOf<StoredScout>({ set: { deleting: true, disabledCode: "scout_deleting" } });
    await ledger.update({ pk: row.pk, sk: row.sk }, mark, { exists: ["pk"] });
    const id = scoutId.parse(scoutOfKey(row));
    for (const address of [row["formerAddress"], row["address"]]) {
      if (typeof address !== "string" || (await leave(mailboxes, address, id, clock()))) continue;
      const { pk, sk } = ledgerKey.mailbox(address);
      damaged.add(`${pk} ${sk}`);
    }
  }
  let rows = 0;
  let isAll = false;
  for (let pass = 0; pass < mostPasses && !isAll; pass += 1) {
    const removed = await removeAll(ledger, user);
    isAll = removed === 0;
    rows += removed;
  }
  return { scouts: scouts.length, rows, isAll, damaged: [...damaged] };
}

/**
 * Takes a scout off a mailbox. A row of another form is refused by the store without a reason, so whether it is damaged is
 * seen by reading it.
 *
 * @returns false when the row is damaged; then it may name the scout still
 */
async function leave(mailboxes: MailboxStore, address: string, scout: ScoutId, nowMs: number): Promise<boolean> {
  try {
    await mailboxes.remove(address, scout, nowMs);
    return true;
  } catch (error) {
    try {
      await mailboxes.scoutsOf(address);
    } catch (unread) {
      if (isScoutsError(unread, "row_damaged")) return false;
    }
    throw error;
  }
}

/** How much there is of a person. */
export async function heldOf(ledger: Table, user: UserId): Promise<Held> {
  const { length: scouts } = await scoutsOf(ledger, user);
  let rows = 0;
  for await (const page of pagesOf(ledger, user)) rows += page.length;
  return { scouts, rows };
}

/** As they are stored: one that is damaged is erased like the others. */
function scoutsOf(ledger: Table, user: UserId): Promise<Item[]> {
  return everyItem(ledger, { hash: ledgerKey.user(user).pk, prefix: ledgerPrefix.scouts, consistent: true });
}

async function removeAll(ledger: Table, user: UserId): Promise<number> {
  let removed = 0;
  for await (const page of pagesOf(ledger, user)) {
    await Promise.all(page.map(({ pk, sk }) => ledger.delete({ pk, sk })));
    removed += page.length;
  }
  return removed;
}

async function* pagesOf(ledger: Table, user: UserId): AsyncGenerator<readonly Item[]> {
  let start: Item | undefined;
  do {
    const query = { hash: ledgerKey.user(user).pk, limit: pageSize, consistent: true };
    const page = await ledger.query({ ...query, ...(start ? { start } : {}) });
    yield page.items;
    start = page.next;
  } while (start);
}
