import type { Requests } from "../bench/pipeline/requests.ts";

/**
 * The fewest requests per item that still keep promise 2 (nothing lost, nothing twice): the item is durably queued
 * before the cursor moves, has a verdict that a redelivery meets, is counted once, and is posted; what a batch found is
 * posted and acknowledged together.
 *
 * @param batch items that are handled together: ten when there is enough to do
 */
export function floorDesign(relevantShare: number, batch = 10): Requests {
  return {
    "sqs:SendMessageBatch": 1 / batch,
    "sqs:ReceiveMessage": 1 / batch,
    "sqs:DeleteMessageBatch": 1 / batch,
    // The verdict, for a relevant item that it is delivered; reserving, settling and the source's quota per batch.
    "dynamodb:UpdateItem": 1 + relevantShare + 3 / batch,
    "websocket:post": relevantShare / batch,
    "websocket:message": relevantShare / batch,
    "lambda:invocation": 2 / batch + relevantShare / batch,
  };
}

/**
 * The design that comes to mind first: a message, a Lambda invocation and its own rows per item, read before every
 * write; a lock and its release; a usage row written per model call; each proposal read back when it is posted, the
 * acknowledgement answered; nothing batched.
 */
export function naiveDesign(relevantShare: number): Requests {
  return {
    "sqs:SendMessage": 2,
    "sqs:ReceiveMessage": 2,
    "sqs:DeleteMessage": 2,
    "dynamodb:GetItem": 6 + 3 * relevantShare,
    "dynamodb:PutItem": 4 + relevantShare,
    "dynamodb:UpdateItem": 5 + 2 * relevantShare,
    "dynamodb:DeleteItem": 1,
    "dynamodb:Query": 2,
    "s3:PutObject": 1,
    "s3:GetObject": 1,
    "websocket:post": 2 * relevantShare,
    "websocket:message": 2 * relevantShare,
    "lambda:invocation": 4 + relevantShare,
    "kms:Decrypt": 2,
  };
}
