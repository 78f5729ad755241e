import { parentPort, workerData } from "node:worker_threads";
import { DynamoDBClient, PutItemCommand } from "@aws-sdk/client-dynamodb";
import {
  DeleteMessageBatchCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import type { OperatorAccess } from "../../../infra/local/home.ts";

export interface BareLoopData {
  readonly operator: OperatorAccess;
  readonly tableName: string;
  /** Of a queue that nobody else works on, as functions are told it. */
  readonly queueUrl: string;
}

/** As the product's: SQS gives and takes ten messages a request. */
const batch = 10;
/** Batches under way side by side: while one waits for an answer, the engines work on another. */
const lanes = 4;

const { operator, tableName, queueUrl: QueueUrl }: BareLoopData = workerData;
const { region, credentials, endpoints } = operator;
const sqs = new SQSClient({ region, credentials, endpoint: endpoints.sqs });
const dynamodb = new DynamoDBClient({ region, credentials, endpoint: endpoints.dynamodb });

async function passBatch(from: number): Promise<void> {
  const numbers = Array.from({ length: batch }, (_, index) => from + index);
  const Entries = numbers.map((number) => ({ Id: String(number), MessageBody: JSON.stringify({ v: 1, ref: number }) }));
  await sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
  const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: batch }));
  if (Messages.length !== batch) throw new Error(`${Messages.length} of ${batch} messages were received`);
  await Promise.all(
    numbers.map((number) => {
      const Item = { pk: { S: `BENCH#${QueueUrl}` }, sk: { S: `ITEM#${number}` }, status: { S: "queued" } };
      return dynamodb.send(new PutItemCommand({ TableName: tableName, Item }));
    }),
  );
  const done = Messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
  await sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries: done }));
}

/** Passes as many items as each message says through the engines and answers when they are through. */
parentPort?.on("message", async (items: number) => {
  let begun = 0;
  const pass = async () => {
    while (begun < items) {
      const from = begun;
      begun += batch;
      await passBatch(from);
    }
  };
  await Promise.all(Array.from({ length: lanes }, pass));
  parentPort?.postMessage("passed");
});
parentPort?.postMessage("ready");
