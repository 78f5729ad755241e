import { DynamoDBClient, ScanCommand } from "@aws-sdk/client-dynamodb";
import { marshall, unmarshall } from "@aws-sdk/util-dynamodb";
import type { Item, Page } from "../ports/table.ts";
import type { TableScan } from "../ports/table-scan.ts";
import { answeredInTime } from "./answered-in-time.ts";
import { awsFailure } from "./failures.ts";

const pageSize = 500;

/** {@link TableScan} on DynamoDB; apart from {@link DynamoTable}, so that no function carries it. */
export class DynamoScan implements TableScan {
  readonly #client: DynamoDBClient;
  readonly #name: string;

  constructor(name: string, client: DynamoDBClient = new DynamoDBClient(answeredInTime())) {
    this.#name = name;
    this.#client = client;
  }

  async scan(start?: Item): Promise<Page> {
    try {
      const answer = await this.#client.send(
        new ScanCommand({
          TableName: this.#name,
          ConsistentRead: true,
          Limit: pageSize,
          ...(start ? { ExclusiveStartKey: marshall({ pk: start.pk, sk: start.sk }) } : {}),
        }),
      );
      const items = (answer.Items ?? []).map((item) => unmarshall(item) as Item);
      return answer.LastEvaluatedKey ? { items, next: unmarshall(answer.LastEvaluatedKey) as Item } : { items };
    } catch (error) {
      throw awsFailure(error, "storage_unavailable");
    }
  }
}
