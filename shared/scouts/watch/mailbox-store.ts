import * as z from "zod";
import { type ScoutId, scoutId, type UserId, userId } from "../../../events/ids.ts";
import { type TtlEntry, ttl } from "../../index-entries.ts";
import { ledgerKey } from "../../keys.ts";
import { changeOf } from "../../ports/row-change.ts";
import type { Condition, Table } from "../../ports/table.ts";
import { storedRow } from "../../stored-row.ts";

const mailboxRow = z.object({ scouts: z.record(scoutId, userId) });
/** `joins` counts who came: whoever leaves an empty mailbox sees by it that nobody has since. */
type StoredMailbox = z.infer<typeof mailboxRow> & { readonly joins?: number } & TtlEntry;

export interface MailboxScout {
  readonly userId: UserId;
  readonly scoutId: ScoutId;
}

const emptyForSeconds = 86_400;

/** An address at a source, kept blinded, and the scouts that watch it: what a webhook looks up with one read. */
export class MailboxStore {
  readonly #ledger: Table;

  constructor(ledger: Table) {
    this.#ledger = ledger;
  }

  async scoutsOf(blindAddress: string): Promise<readonly MailboxScout[]> {
    const item = await this.#ledger.get(ledgerKey.mailbox(blindAddress));
    if (!item) return [];
    return storedRow(item, (stored) =>
      Object.entries(mailboxRow.parse(stored).scouts).map(([scout, user]) => ({
        scoutId: scoutId.parse(scout),
        userId: user,
      })),
    );
  }

  async add(blindAddress: string, { userId: user, scoutId: scout }: MailboxScout): Promise<void> {
    const key = ledgerKey.mailbox(blindAddress);
    // A path inside a map can only be set once the map exists, hence two writes, each harmless to repeat.
    await this.#ledger.update(key, changeOf<StoredMailbox>({ set: { scouts: {} } }), { absent: ["scouts"] });
    const added = changeOf<StoredMailbox>({
      add: { joins: 1 },
      at: { set: [[["scouts", scout], user]] },
      remove: ["ttl"],
    });
    await this.#ledger.update(key, added);
  }

  /**
   * Takes a scout off; the row of a mailbox nobody watches goes in a day, unless somebody is put on it before.
   *
   *   leaves: A off, empty ─────────────────────── expires in a day ✗ (somebody came)
   *                      B comes: B on, no expiry
   *
   * @returns whether nobody watches it any more
   */
  async remove(blindAddress: string, scout: ScoutId, nowMs: number): Promise<boolean> {
    const key = ledgerKey.mailbox(blindAddress);
    const left = await this.#ledger.update(key, { remove: [["scouts", scout]] }, { exists: ["scouts"] });
    if (!left) return true;
    if (Object.keys(storedRow(left, (stored) => mailboxRow.parse(stored)).scouts).length > 0) return false;
    const { joins } = left;
    const nobodyCame: Condition =
      typeof joins === "number" ? { path: ["joins"], is: "=", value: joins } : { absent: ["joins"] };
    const empty = changeOf<StoredMailbox>({ set: ttl.after(nowMs, emptyForSeconds) });
    return (await this.#ledger.update(key, empty, { all: [{ exists: ["scouts"] }, nobodyCame] })) !== false;
  }
}
