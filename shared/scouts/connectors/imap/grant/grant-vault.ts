import * as z from "zod";
import { ScoutsError } from "../../../../../events/errors.ts";
import { ledgerKey } from "../../../../keys.ts";
import { changeOf } from "../../../../ports/row-change.ts";
import type { Condition, Table } from "../../../../ports/table.ts";
import type { RingSealer } from "../../../../privacy/ring-sealer.ts";
import { Transient } from "../../../../privacy/transient.ts";
import { type StoredScout, sealingContext } from "../../../scout-row.ts";
import type { ScoutAtSource } from "../../connector.ts";

const keptGrant = z.object({
  /** The refresh token of the scout's settings that all this came of. */
  of: z.string(),
  /** The one that is good now. */
  refreshToken: z.string(),
  accessToken: z.string(),
  /** Milliseconds since the epoch. */
  expiresAt: z.number(),
});
export type KeptGrant = z.infer<typeof keptGrant>;

/** Who writes at the same time is a command that seals everything anew: seldom, and once. */
const maxTries = 4;

/** What has become of the grants in scouts' settings: sealed in the scout's row beside them, and gone with it. */
export class GrantVault {
  readonly ledger: Table;
  readonly #vault: () => Promise<RingSealer>;

  constructor(ledger: Table, vault: () => Promise<RingSealer>) {
    this.ledger = ledger;
    this.#vault = vault;
  }

  /** @throws scout_not_found */
  async read(scout: ScoutAtSource): Promise<{ readonly sealed?: string; readonly kept?: KeptGrant }> {
    const row = await this.ledger.get(ledgerKey.scout(scout.userId, scout.scoutId));
    if (!row) throw new ScoutsError("scout_not_found", { data: { scoutId: scout.scoutId } });
    const sealed = row["sealedGrant"];
    if (typeof sealed !== "string") return {};
    const opened = await (await this.#vault()).open(sealed, sealingContext(scout, "grant"));
    return { sealed, kept: opened.map((json) => keptGrant.parse(JSON.parse(json))).reveal() };
  }

  /**
   * Writes what came of spending a refresh token, and ends the turn in which that was done.
   *
   * @returns whether it was written: not, when somebody else has written what came of it, or the scout is gone
   */
  async write(scout: ScoutAtSource, spent: string, next: KeptGrant): Promise<boolean> {
    const sealer = await this.#vault();
    for (let tries = 1; tries <= maxTries; tries += 1) {
      const { sealed: before, kept } = await this.read(scout);
      if (kept?.of === next.of && kept.refreshToken !== spent) return false;
      const sealedGrant = await sealer.seal(new Transient(JSON.stringify(next)), sealingContext(scout, "grant"));
      const unchanged: Condition =
        before === undefined ? { absent: ["sealedGrant"] } : { path: ["sealedGrant"], is: "=", value: before };
      const change = changeOf<StoredScout>({ set: { sealedGrant }, remove: ["refreshUntil"] });
      const when: Condition = { all: [{ exists: ["pk"] }, unchanged] };
      if (await this.ledger.update(ledgerKey.scout(scout.userId, scout.scoutId), change, when)) return true;
    }
    throw new ScoutsError("storage_throttled", { data: { what: "grant" } });
  }
}
