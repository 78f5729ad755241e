import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { ShownItem } from "../../events/http/items.ts";
import type { UserId } from "../../events/ids.ts";
import { answeredInTime } from "../../shared/aws/answered-in-time.ts";
import { DynamoTable } from "../../shared/aws/dynamo-table.ts";
import { systemClock, systemRetries } from "../../shared/ports/clock.ts";
import type { Table } from "../../shared/ports/table.ts";
import { listItems, redriveAll, redriveRefs } from "../../shared/scouts/items/without-verdict.ts";
import { ScoutStore } from "../../shared/scouts/scout-store.ts";
import type { ItemsApi } from "./items-api.ts";

const pageSize = 100;

/** A person's items in a deployed Ledger. Reaches AWS as its SDK does by default. */
export async function onDeployedItems<T>(
  tableName: string,
  user: UserId,
  use: (door: ItemsApi) => Promise<T>,
): Promise<T> {
  const client = new DynamoDBClient(answeredInTime());
  try {
    return await use(itemsOfTable(new DynamoTable(tableName, systemRetries, client), user));
  } finally {
    client.destroy();
  }
}

function itemsOfTable(ledger: Table, userId: UserId): ItemsApi {
  const ports = { ledger, clock: systemClock };
  return {
    async list(status, scoutId) {
      const all: ShownItem[] = [];
      let after: string | undefined;
      do {
        const { items, last } = await listItems(ports, { userId, scoutId, after }, { status, limit: pageSize });
        all.push(...items);
        after = last;
      } while (after !== undefined);
      return all;
    },
    async redrive(wanted, scoutId) {
      if ("refs" in wanted) {
        const scouts = scoutId ? [scoutId] : await new ScoutStore(ledger).ids(userId);
        return redriveRefs(ports, userId, scouts, wanted.refs);
      }
      const done = { redriven: 0, refused: 0 };
      let after: string | undefined;
      do {
        const code = "code" in wanted ? wanted.code : undefined;
        const { redriven, refused, last } = await redriveAll(ports, { userId, scoutId, after }, code);
        done.redriven += redriven;
        done.refused += refused;
        after = last;
      } while (after !== undefined);
      return done;
    },
  };
}
