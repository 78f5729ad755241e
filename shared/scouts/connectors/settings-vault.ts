import * as z from "zod";
import { ScoutsError } from "../../../events/errors.ts";
import type { RingSealer } from "../../privacy/ring-sealer.ts";
import type { Transient } from "../../privacy/transient.ts";
import { type ScoutRow, sealingContext } from "../scout-row.ts";
import type { ScoutStore } from "../scout-store.ts";
import type { KeptSettings, ScoutAtSource } from "./connector.ts";

/** Settings of sources, sealed under the vault's key and bound to the scout they are of. */
export class SettingsVault {
  readonly #scouts: ScoutStore;
  readonly #vault: () => Promise<RingSealer>;

  constructor(scouts: ScoutStore, vault: () => Promise<RingSealer>) {
    this.#scouts = scouts;
    this.#vault = vault;
  }

  /** For `sealedSettings` of the scout's row. */
  async seal(scout: ScoutAtSource, settings: Transient<KeptSettings<object>>): Promise<string> {
    const text = settings.map((kept) => JSON.stringify(kept));
    return (await this.#vault()).seal(text, sealingContext(scout, "settings"));
  }

  /** What is kept for a scout. @throws scout_not_found, source_not_connected, sealed_unreadable */
  async open<S extends object>(scout: ScoutAtSource, schema: z.ZodType<S>): Promise<Transient<KeptSettings<S>>> {
    return this.openOf(await this.#scouts.get(scout.userId, scout.scoutId), schema);
  }

  /** The same of a row that has been read. @throws source_not_connected, sealed_unreadable */
  async openOf<S extends object>(row: ScoutRow, schema: z.ZodType<S>): Promise<Transient<KeptSettings<S>>> {
    const { sealedSettings, scoutId } = row;
    if (sealedSettings === undefined) throw new ScoutsError("source_not_connected", { data: { scoutId } });
    const opened = await (await this.#vault()).open(sealedSettings, sealingContext(row, "settings"));
    return opened.map((json) => {
      const { given, own } = envelope.parse(JSON.parse(json));
      return { given: schema.parse(given), ...(own === undefined ? {} : { own }) };
    });
  }
}

const envelope = z.object({ given: z.unknown(), own: z.record(z.string(), z.string()).optional() });
