import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { UserId } from "../../events/ids.ts";
import { answeredInTime } from "../../shared/aws/answered-in-time.ts";
import { DynamoTable } from "../../shared/aws/dynamo-table.ts";
import { systemClock, systemRetries } from "../../shared/ports/clock.ts";
import type { Table } from "../../shared/ports/table.ts";
import { type Erased, erasePerson, type Held, heldOf } from "../../shared/scouts/erase-person.ts";

/** {@link erasePerson} in a deployed Ledger. Reaches AWS as its SDK does by default. */
export function eraseDeployed(tableName: string, user: UserId): Promise<Erased> {
  return inLedger(tableName, (ledger) => erasePerson({ ledger, clock: systemClock }, user));
}

/** {@link heldOf} of a deployed Ledger. */
export function countDeployed(tableName: string, user: UserId): Promise<Held> {
  return inLedger(tableName, (ledger) => heldOf(ledger, user));
}

async function inLedger<T>(tableName: string, work: (ledger: Table) => Promise<T>): Promise<T> {
  const client = new DynamoDBClient(answeredInTime());
  try {
    return await work(new DynamoTable(tableName, systemRetries, client));
  } finally {
    client.destroy();
  }
}
