import type { UserId } from "../../events/ids.ts";
import { ledgerKey } from "../keys.ts";
import { changeOf } from "../ports/row-change.ts";
import type { Table } from "../ports/table.ts";
import { type Account, parseAccount } from "./account-row.ts";
import type { TierName } from "./tiers.ts";

/** A sign of life is written down at most this often. */
const seenStepMs = 3_600_000;

/** Accounts in the Ledger. */
export class AccountStore {
  readonly #ledger: Table;

  constructor(ledger: Table) {
    this.#ledger = ledger;
  }

  async get(user: UserId): Promise<Account> {
    return parseAccount(await this.#ledger.get(ledgerKey.user(user)));
  }

  /** An operator's decision: what the person may use from now on. */
  async setTier(user: UserId, tier: TierName): Promise<void> {
    await this.#ledger.update(ledgerKey.user(user), changeOf<Account>({ set: { tier } }));
  }

  /** A device of theirs is there. */
  async seen(user: UserId, nowMs: number): Promise<void> {
    await this.#ledger.update(ledgerKey.user(user), changeOf<Account>({ set: { lastSeenAt: nowMs } }), {
      any: [
        { absent: ["lastSeenAt"] },
        { path: ["lastSeenAt"], is: "<=", value: nowMs - seenStepMs },
        { path: ["lastSeenAt"], is: ">", value: nowMs + seenStepMs },
      ],
    });
  }
}
