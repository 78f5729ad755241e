import { ScoutsError } from "../../../events/errors.ts";
import type { Transient } from "../../privacy/transient.ts";

/** Whose mailboxes: the one the scout reads, where that is known, and the one that was chosen. */
export interface Accounts {
  readonly expected: string | null;
  readonly chosen: string;
}

/** Another account was chosen than the one the scout reads. Which ones is for its owner's eyes, in the answer alone. */
export class OtherAccount extends ScoutsError {
  readonly accounts: Transient<Accounts>;

  constructor(accounts: Transient<Accounts>) {
    super("source_account_other");
    this.accounts = accounts;
  }
}
