import { randomBytes } from "node:crypto";
import { scoutId, userId } from "../../events/ids.ts";
import { type KeyRing, parseKeyRing } from "../../shared/privacy/key-ring.ts";
import { RingSealer } from "../../shared/privacy/ring-sealer.ts";
import type { ScoutAtSource } from "../../shared/scouts/connectors/connector.ts";
import { MemoryTable } from "../memory/table.ts";

export const scoutAtSource: ScoutAtSource = {
  userId: userId.parse(`usr_${"a".repeat(26)}`),
  scoutId: scoutId.parse(`sct_01JZZZZZZZZZZZZZZZZZZZZZZ7`),
};

function ring(): KeyRing {
  return parseKeyRing(JSON.stringify({ keys: [{ kid: "k1", key: randomBytes(32).toString("base64") }] }));
}

/** A vault as functions/compose/keys.ts makes it, with a key of its own. */
export function vault(): () => Promise<RingSealer> {
  const sealer = Promise.resolve(new RingSealer(ring()));
  return () => sealer;
}

/** A Ledger whose every row can be looked at. */
export class OpenTable extends MemoryTable {
  readonly #written = new Set<string>();

  override put(...[item, when]: Parameters<MemoryTable["put"]>) {
    this.#written.add(JSON.stringify(item));
    return super.put(item, when);
  }

  override update(...[key, change, when]: Parameters<MemoryTable["update"]>) {
    this.#written.add(JSON.stringify([key, change]));
    return super.update(key, change, when);
  }

  /** All that was ever written, also what is overwritten by now. */
  everWritten(): string {
    return [...this.#written].join("\n");
  }
}
