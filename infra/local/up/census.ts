import { DynamoDBClient, QueryCommand } from "@aws-sdk/client-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import type { ScoutId } from "../../../events/ids.ts";
import { ledgerPrefix } from "../../../shared/keys.ts";
import { type ItemStatus, itemStatuses } from "../../../shared/scouts/items/item-row.ts";
import type { Home } from "../home.ts";

/** How a scout's items stand in the Ledger, and what they cost. */
export interface Census {
  readonly byStatus: Readonly<Record<ItemStatus, number>>;
  readonly tokens: { readonly in: number; readonly out: number };
}

/** Counts the rows as an operator may: they hold ids, codes and counts only. */
export class Counter {
  readonly #client: DynamoDBClient;
  readonly #table: string;
  readonly #user: string;
  readonly #scout: ScoutId;

  constructor(home: Home, user: string, scout: ScoutId) {
    const { region, credentials, endpoints } = home.operator;
    this.#client = new DynamoDBClient({ region, credentials, endpoint: endpoints.dynamodb });
    const table = home.graph.tables["Ledger"];
    if (!table) throw new TypeError("The graph has no Ledger");
    this.#table = table.tableName;
    this.#user = user;
    this.#scout = scout;
  }

  async count(): Promise<Census> {
    const byStatus = Object.fromEntries(itemStatuses.map((status) => [status, 0])) as Record<ItemStatus, number>;
    const tokens = { in: 0, out: 0 };
    let start: Record<string, never> | undefined;
    do {
      const page = await this.#client.send(
        new QueryCommand({
          TableName: this.#table,
          ConsistentRead: true,
          KeyConditionExpression: "pk = :pk AND begins_with(sk, :sk)",
          ExpressionAttributeValues: {
            ":pk": { S: `USER#${this.#user}` },
            ":sk": { S: ledgerPrefix.itemsOf(this.#scout) },
          },
          ...(start ? { ExclusiveStartKey: start } : {}),
        }),
      );
      for (const item of page.Items ?? []) {
        const { status, inputTokens = 0, outputTokens = 0 } = unmarshall(item);
        byStatus[status as ItemStatus] += 1;
        tokens.in += inputTokens;
        tokens.out += outputTokens;
      }
      start = page.LastEvaluatedKey as typeof start;
    } while (start);
    return { byStatus, tokens };
  }

  close(): void {
    this.#client.destroy();
  }
}

export function judged({ byStatus }: Census): { relevant: number; spam: number; deadLettered: number; failed: number } {
  const { queued, delivered, acked, expired, gone, spam, dead, failed, deferred } = byStatus;
  return {
    relevant: queued + delivered + acked + expired + gone,
    spam,
    deadLettered: dead,
    failed: failed + deferred,
  };
}
