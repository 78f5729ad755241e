import {
  type AttributeValue,
  BatchGetItemCommand,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { marshall, unmarshall } from "@aws-sdk/util-dynamodb";
import { ScoutsError } from "../../events/errors.ts";
import { exponentialDelayMs } from "../outcome/delays.ts";
import type { RetryPorts } from "../ports/clock.ts";
import type { Change, Condition, Item, Key, Page, Query, Table } from "../ports/table.ts";
import { answeredInTime } from "./answered-in-time.ts";
import { Expressions } from "./expressions.ts";
import { awsFailure } from "./failures.ts";
import { withoutRequestLog } from "./without-request-log.ts";

/**
 * What a batch read leaves over is asked for again after a pause that grows, at random up to 50, 100, … 1,600 ms, some one and
 * a half seconds in all: asked for at once it would most likely be throttled again
 * (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html). Then it counts as throttled.
 */
const firstPauseMs = 50;
const mostPauses = 6;

/** {@link Table} on DynamoDB. Only single-item operations, so that what is tested here is all that is relied on. */
export class DynamoTable implements Table {
  readonly #client: DynamoDBClient;
  readonly #name: string;
  readonly #retries: RetryPorts;

  constructor(
    name: string,
    retries: RetryPorts,
    client: DynamoDBClient = withoutRequestLog(new DynamoDBClient(answeredInTime())),
  ) {
    this.#name = name;
    this.#retries = retries;
    this.#client = client;
  }

  async get(key: Key): Promise<Item | undefined> {
    return this.#call(async () => {
      const answer = await this.#client.send(
        new GetItemCommand({ TableName: this.#name, Key: keyOf(key), ConsistentRead: true }),
      );
      return answer.Item && itemOf(answer.Item);
    });
  }

  async getMany(keys: readonly Key[]): Promise<readonly Item[]> {
    if (keys.length === 0) return [];
    return this.#call(async () => {
      const items: Item[] = [];
      let unread: Record<string, AttributeValue>[] = eachOnce(keys).map(keyOf);
      for (let round = 0; unread.length > 0; round += 1) {
        if (round > 0) await this.#pause(round - 1, unread.length);
        const answer = await this.#client.send(
          new BatchGetItemCommand({ RequestItems: { [this.#name]: { Keys: unread, ConsistentRead: true } } }),
        );
        items.push(...(answer.Responses?.[this.#name] ?? []).map(itemOf));
        unread = answer.UnprocessedKeys?.[this.#name]?.Keys ?? [];
      }
      return items;
    });
  }

  async put(item: Item, when?: Condition): Promise<boolean> {
    const expressions = new Expressions();
    const condition = when && expressions.condition(when);
    return this.#conditional(async () => {
      await this.#client.send(
        new PutItemCommand({
          TableName: this.#name,
          Item: marshall(item, { removeUndefinedValues: true }),
          ...(condition ? { ConditionExpression: condition } : {}),
          ...expressions.placeholders(),
        }),
      );
      return true;
    });
  }

  async update(key: Key, change: Change, when?: Condition): Promise<Item | false> {
    const expressions = new Expressions();
    const update = expressions.change(change);
    const condition = when && expressions.condition(when);
    return this.#conditional(async () => {
      const answer = await this.#client.send(
        new UpdateItemCommand({
          TableName: this.#name,
          Key: keyOf(key),
          UpdateExpression: update,
          ...(condition ? { ConditionExpression: condition } : {}),
          ...expressions.placeholders(),
          ReturnValues: "ALL_NEW",
        }),
      );
      return itemOf(answer.Attributes ?? {});
    });
  }

  async delete(key: Key, when?: Condition): Promise<boolean> {
    const expressions = new Expressions();
    const condition = when && expressions.condition(when);
    return this.#conditional(async () => {
      await this.#client.send(
        new DeleteItemCommand({
          TableName: this.#name,
          Key: keyOf(key),
          ...(condition ? { ConditionExpression: condition } : {}),
          ...expressions.placeholders(),
        }),
      );
      return true;
    });
  }

  async query(query: Query): Promise<Page> {
    const expressions = new Expressions();
    const condition = rangeExpression(query, expressions);
    return this.#call(async () => {
      const answer = await this.#client.send(
        new QueryCommand({
          TableName: this.#name,
          ...(query.index ? { IndexName: query.index.name } : { ConsistentRead: query.consistent ?? false }),
          KeyConditionExpression: condition,
          ...expressions.placeholders(),
          ...(query.limit === undefined ? {} : { Limit: query.limit }),
          ...(query.start ? { ExclusiveStartKey: startKey(query, query.start) } : {}),
        }),
      );
      const items = (answer.Items ?? []).map(itemOf);
      return answer.LastEvaluatedKey ? { items, next: itemOf(answer.LastEvaluatedKey) } : { items };
    });
  }

  /** @throws storage_throttled after too many of them */
  async #pause(before: number, unread: number): Promise<void> {
    if (before === mostPauses) throw new ScoutsError("storage_throttled", { data: { unread } });
    const { sleep, random } = this.#retries;
    await sleep(random() * exponentialDelayMs(before, firstPauseMs));
  }

  async #call<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      throw error instanceof ScoutsError ? error : awsFailure(error, "storage_unavailable");
    }
  }

  async #conditional<T>(run: () => Promise<T>): Promise<T | false> {
    return this.#call(async () => {
      try {
        return await run();
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) return false;
        throw error;
      }
    });
  }
}

/** `BatchGetItem` refuses keys that come twice, as pages of an index have them while an item moves in it. */
function eachOnce(keys: readonly Key[]): Key[] {
  return [...new Map(keys.map(({ pk, sk }) => [`${pk}\n${sk}`, { pk, sk }])).values()];
}

function keyOf(key: Key): Record<string, AttributeValue> {
  return { pk: { S: key.pk }, sk: { S: key.sk } };
}

function itemOf(attributes: Record<string, AttributeValue>): Item {
  return unmarshall(attributes) as Item;
}

function startKey(query: Query, start: Item): Record<string, AttributeValue> {
  const { pk, sk } = start;
  const index = query.index;
  return marshall(index ? { pk, sk, [index.hash]: start[index.hash], [index.range]: start[index.range] } : { pk, sk });
}

function rangeExpression(query: Query, expressions: Expressions): string {
  const hash = `${expressions.name(query.index?.hash ?? "pk")} = ${expressions.value(query.hash)}`;
  const range = () => expressions.name(query.index?.range ?? "sk");
  if (query.prefix !== undefined) return `${hash} AND begins_with(${range()}, ${expressions.value(query.prefix)})`;
  if (query.from !== undefined && query.to !== undefined) {
    return `${hash} AND ${range()} BETWEEN ${expressions.value(query.from)} AND ${expressions.value(query.to)}`;
  }
  if (query.from !== undefined) return `${hash} AND ${range()} >= ${expressions.value(query.from)}`;
  if (query.to !== undefined) return `${hash} AND ${range()} <= ${expressions.value(query.to)}`;
  return hash;
}
