import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { UserId } from "../../../events/ids.ts";
import { DynamoTable } from "../../../shared/aws/dynamo-table.ts";
import { systemClock } from "../../../shared/ports/clock.ts";
import { changeTier } from "../../../shared/scouts/lifecycle/change-tier.ts";
import type { Home } from "../home.ts";

/**
 * Whoever runs the home is its operator as well, and pays for the model if anybody does: nothing here is to be rationed,
 * and a month's free allowance is less than two thousand mails.
 */
export async function liftCaps(home: Home, owner: UserId): Promise<void> {
  const { region, credentials, endpoints } = home.operator;
  const ledger = home.graph.tables["Ledger"];
  if (!ledger) throw new TypeError("The graph has no Ledger");
  const client = new DynamoDBClient({ region, credentials, endpoint: endpoints.dynamodb });
  try {
    await changeTier({ ledger: new DynamoTable(ledger.tableName, client), clock: systemClock }, owner, "power");
  } finally {
    client.destroy();
  }
}
