import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoTable } from "../../shared/aws/dynamo-table.ts";
import { systemRetries } from "../../shared/ports/clock.ts";
import type { Table } from "../../shared/ports/table.ts";
import type { Home } from "./home.ts";

/** The Ledger of a running home, as its operator may read and change it. */
export function openLedger(home: Pick<Home, "operator" | "graph">): { readonly ledger: Table; close(): void } {
  const { region, credentials, endpoints } = home.operator;
  const node = home.graph.tables["Ledger"];
  if (!node) throw new TypeError("The graph has no Ledger");
  const client = new DynamoDBClient({ region, credentials, endpoint: endpoints.dynamodb });
  return { ledger: new DynamoTable(node.tableName, systemRetries, client), close: () => client.destroy() };
}
