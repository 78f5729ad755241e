import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { UserId } from "../../events/ids.ts";
import { answeredInTime } from "../../shared/aws/answered-in-time.ts";
import { DynamoTable } from "../../shared/aws/dynamo-table.ts";
import { systemClock, systemRetries } from "../../shared/ports/clock.ts";
import { type Erased, erasePerson, heldOf } from "../../shared/scouts/erase-person.ts";

/**
 * {@link erasePerson} in a deployed Ledger. Reaches AWS as its SDK does by default.
 *
 * @param isMeant erases; else it is only counted what there is
 */
export async function eraseDeployed(tableName: string, user: UserId, isMeant: boolean): Promise<Erased> {
  const client = new DynamoDBClient(answeredInTime());
  try {
    const ledger = new DynamoTable(tableName, systemRetries, client);
    return await (isMeant ? erasePerson({ ledger, clock: systemClock }, user) : heldOf(ledger, user));
  } finally {
    client.destroy();
  }
}
