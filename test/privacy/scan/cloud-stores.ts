import { DynamoDBClient, paginateScan } from "@aws-sdk/client-dynamodb";
import { GetObjectCommand, paginateListObjectsV2, S3Client } from "@aws-sdk/client-s3";
import { type Message, ReceiveMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import type { Home } from "../../../infra/local/home.ts";
import type { AtRest } from "./scanner.ts";

/** Long enough for the look at one queue. */
const hiddenSeconds = 60;

/** Everything the stores show an operator: each attribute, message, object. Queues must be at rest; nothing is taken out. */
export async function storesAtRest(home: Home): Promise<AtRest[]> {
  const found = await Promise.all([tableItems(home), queueMessages(home), bucketObjects(home)]);
  return found.flat();
}

async function tableItems({ operator, graph }: Home): Promise<AtRest[]> {
  const { region, credentials, endpoints } = operator;
  const client = new DynamoDBClient({ region, credentials, endpoint: endpoints.dynamodb });
  const found: AtRest[] = [];
  try {
    for (const { name, tableName } of Object.values(graph.tables)) {
      for await (const page of paginateScan({ client }, { TableName: tableName, ConsistentRead: true })) {
        for (const item of page.Items ?? []) {
          found.push({ place: `table ${name}`, data: JSON.stringify(item) });
          for (const [attribute, value] of Object.entries(item)) {
            const [, data] = Object.entries(value)[0] ?? [];
            const bytes = data instanceof Uint8Array || typeof data === "string" ? data : JSON.stringify(data);
            found.push({ place: `table ${name}, ${attribute}`, data: bytes });
          }
        }
      }
    }
  } finally {
    client.destroy();
  }
  return found;
}

async function queueMessages({ operator, graph }: Home): Promise<AtRest[]> {
  const { region, credentials, endpoints } = operator;
  const client = new SQSClient({ region, credentials, endpoint: endpoints.sqs });
  const found: AtRest[] = [];
  try {
    for (const { name, url } of Object.values(graph.queues)) {
      const messages = new Map<string, Message>();
      for (let more = true; more; ) {
        const answer = await client.send(
          new ReceiveMessageCommand({
            QueueUrl: url,
            MaxNumberOfMessages: 10,
            VisibilityTimeout: hiddenSeconds,
            MessageSystemAttributeNames: ["All"],
            MessageAttributeNames: ["All"],
          }),
        );
        more = (answer.Messages ?? []).length > 0;
        for (const message of answer.Messages ?? []) messages.set(String(message.MessageId), message);
      }
      for (const message of messages.values()) {
        found.push({ place: `queue ${name}, body`, data: message.Body ?? "" });
        found.push({ place: `queue ${name}, attributes`, data: JSON.stringify(message) });
      }
    }
  } finally {
    client.destroy();
  }
  return found;
}

async function bucketObjects({ operator, graph }: Home): Promise<AtRest[]> {
  const { region, credentials, endpoints } = operator;
  const client = new S3Client({ region, credentials, endpoint: endpoints.s3, forcePathStyle: true });
  const found: AtRest[] = [];
  try {
    for (const { name, bucketName } of Object.values(graph.buckets)) {
      for await (const page of paginateListObjectsV2({ client }, { Bucket: bucketName })) {
        for (const { Key } of page.Contents ?? []) {
          const { Body, Metadata, ContentType } = await client.send(new GetObjectCommand({ Bucket: bucketName, Key }));
          found.push({ place: `bucket ${name}`, data: (await Body?.transformToByteArray()) ?? "" });
          found.push({ place: `bucket ${name}, about`, data: JSON.stringify({ Key, Metadata, ContentType }) });
        }
      }
    }
  } finally {
    client.destroy();
  }
  return found;
}
