import { DynamoDBClient, paginateScan, UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import { SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import type { Home } from "../../../infra/local/home.ts";
import { storesAtRest } from "../scan/cloud-stores.ts";
import type { AtRest } from "../scan/scanner.ts";

/** Puts what is on the sealed queues among the dead letters too, byte for byte, as SQS does after so many receives. */
export async function bringToDeadLetters({ operator, graph }: Home, atRest: readonly AtRest[]): Promise<number> {
  const { region, credentials, endpoints } = operator;
  const client = new SQSClient({ region, credentials, endpoint: endpoints.sqs });
  const bodies = atRest.filter(({ place }) => place === "fauxqs.db: sqs_messages.body").map(({ data }) => String(data));
  for (const MessageBody of bodies) {
    const name = MessageBody.includes('"runId"') ? "AgentDeadLetters" : "SummarizeDeadLetters";
    await client.send(new SendMessageCommand({ QueueUrl: graph.queues[name]?.url, MessageBody }));
  }
  client.destroy();
  return bodies.length;
}

/** Has the time of all rows of a kind be over, as it would be one day, and the sweep look. */
export async function letTimePass(home: Home, prefix: "SESSION#" | "ENDED#", of: string): Promise<void> {
  const { region, credentials, endpoints } = home.operator;
  const client = new DynamoDBClient({ region, credentials, endpoint: endpoints.dynamodb });
  const TableName = home.graph.tables["Sessions"]?.tableName;
  for await (const { Items = [] } of paginateScan({ client }, { TableName, ConsistentRead: true })) {
    for (const { pk, sk } of Items.map((item) => unmarshall(item))) {
      if (sk !== `${prefix}${of}`) continue;
      await client.send(
        new UpdateItemCommand({
          TableName,
          Key: { pk: { S: pk }, sk: { S: sk } },
          UpdateExpression: "SET expiresAt = :then",
          ExpressionAttributeValues: { ":then": { N: String(Date.now() - 3_600_000) } },
        }),
      );
    }
  }
  client.destroy();
  const { status } = await home.runCron("Sweep");
  if (status !== "success") throw new Error(`The sweep ended with ${status}`);
}

/** Keys of the session's objects. */
export async function objectsOf(home: Home, sessionId: string): Promise<string[]> {
  const about = (await storesAtRest(home)).filter(({ place }) => place === "bucket Transit, about");
  return about.map(({ data }) => String(data)).filter((text) => text.includes(sessionId));
}
