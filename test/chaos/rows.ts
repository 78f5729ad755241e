import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { LocalSystem } from "../../cli/up/system.ts";
import { DynamoScan } from "../../shared/aws/dynamo-scan.ts";
import type { Item } from "../../shared/ports/table.ts";

/** Everything in a table of a running home, as its operator may read it. */
export async function rowsOf({ home }: LocalSystem, table: "Ledger" | "Sessions"): Promise<Item[]> {
  const { region, credentials, endpoints } = home.operator;
  const client = new DynamoDBClient({ region, credentials, endpoint: endpoints.dynamodb });
  const scan = new DynamoScan(home.graph.tables[table]?.tableName ?? table, client);
  const rows: Item[] = [];
  try {
    let start: Item | undefined;
    do {
      const page = await scan.scan(start);
      rows.push(...page.items);
      start = page.next;
    } while (start);
    return rows;
  } finally {
    client.destroy();
  }
}
