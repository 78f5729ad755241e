import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { UserId } from "../../events/ids.ts";
import { answeredInTime } from "../../shared/aws/answered-in-time.ts";
import { DynamoTable } from "../../shared/aws/dynamo-table.ts";
import { tierName } from "../../shared/billing/tiers.ts";
import { systemClock, systemRetries } from "../../shared/ports/clock.ts";
import { changeTier, type TierChanged } from "../../shared/scouts/lifecycle/change-tier.ts";

/**
 * {@link changeTier} in a deployed Ledger. Reaches AWS as its SDK does by default.
 *
 * @param tier a name of shared/billing/tiers.ts
 */
export async function changeTierDeployed(tableName: string, user: UserId, tier: string): Promise<TierChanged> {
  const client = new DynamoDBClient(answeredInTime());
  try {
    return await changeTier(
      { ledger: new DynamoTable(tableName, systemRetries, client), clock: systemClock },
      user,
      tierName.parse(tier),
    );
  } finally {
    client.destroy();
  }
}
