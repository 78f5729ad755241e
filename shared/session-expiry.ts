import { shardOf } from "./keys.ts";
import type { Change } from "./ports/table.ts";

/**
 * What makes a row of Sessions go away: the sweep finds it by its shard, DynamoDB's own TTL (whole seconds) is the net.
 *
 * @param of spreads rows over the shards: an id of the row
 */
export function expiryOf(of: string, expiresAt: number) {
  return { expiresAt, expiryShard: shardOf("session", of), ttl: Math.ceil(expiresAt / 1000) };
}

/** The same for a row that is there and lives on, or less long. */
export function expirySettings(expiresAt: number): NonNullable<Change["set"]> {
  return [
    [["expiresAt"], expiresAt],
    [["ttl"], Math.ceil(expiresAt / 1000)],
  ];
}
