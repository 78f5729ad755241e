import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { UserId } from "../../events/ids.ts";
import { answeredInTime } from "../../shared/aws/answered-in-time.ts";
import { DynamoTable } from "../../shared/aws/dynamo-table.ts";
import { tierName } from "../../shared/billing/tiers.ts";
import { systemClock, systemRetries } from "../../shared/ports/clock.ts";
import type { Table } from "../../shared/ports/table.ts";
import { type Erased, erasePerson, type Held, heldOf } from "../../shared/scouts/erase-person.ts";
import { changeTier, type TierChanged } from "../../shared/scouts/lifecycle/change-tier.ts";

/** Does something in a deployed Ledger. Reaches AWS as its SDK does by default. */
export async function inLedger<T>(tableName: string, work: (ledger: Table) => Promise<T>): Promise<T> {
  const client = new DynamoDBClient(answeredInTime());
  try {
    return await work(new DynamoTable(tableName, systemRetries, client));
  } finally {
    client.destroy();
  }
}

/** {@link erasePerson} in a deployed Ledger. */
export const eraseDeployed = (tableName: string, user: UserId): Promise<Erased> =>
  inLedger(tableName, (ledger) => erasePerson({ ledger, clock: systemClock }, user));

/** {@link heldOf} of a deployed Ledger. */
export const countDeployed = (tableName: string, user: UserId): Promise<Held> =>
  inLedger(tableName, (ledger) => heldOf(ledger, user));

/** {@link changeTier} in a deployed Ledger. @param tier a name of shared/billing/tiers.ts */
export const changeTierDeployed = (tableName: string, user: UserId, tier: string): Promise<TierChanged> =>
  inLedger(tableName, (ledger) => changeTier({ ledger, clock: systemClock }, user, tierName.parse(tier)));
