import type { UserId } from "../events/ids.ts";
import { ttl } from "./index-entries.ts";
import { ledgerKey } from "./keys.ts";
import type { Condition, Table, Value } from "./ports/table.ts";

const lifeSeconds = 30 * 86_400;
/** So long a run is remembered. */
export const runLifeMs = lifeSeconds * 1000;

/** What ran, for the person's history: codes, ids, counts and times. */
export interface RunFacts {
  readonly kind: "sync" | "index" | "agent";
  readonly outcome: string;
  readonly durationMs: number;
  readonly [fact: string]: Value;
}

/** Writes a run under a ULID of its own; whoever writes it again under the same one writes the same row. */
export async function writeRun(
  ledger: Table,
  user: UserId,
  ulid: string,
  facts: RunFacts,
  nowMs: number,
  when?: Condition,
): Promise<void> {
  await ledger.put({ ...ledgerKey.run(user, ulid), ...facts, at: nowMs, ...ttl.after(nowMs, lifeSeconds) }, when);
}
