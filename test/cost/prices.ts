import type { Requests } from "../bench/pipeline/requests.ts";

/**
 * Dollars a million requests, us-east-1, November 2026 (each service's pricing page): SQS standard and FIFO alike up to
 * the free tier's end, DynamoDB on demand with items below 1 KB, API Gateway WebSocket up to 32 KB a message.
 */
const dollarsPerMillion: readonly [RegExp, number][] = [
  [/^sqs:/, 0.4],
  [/^dynamodb:(Put|Update|Delete)Item$/, 0.625],
  // Every item of a batch is a read; batches here have up to ten.
  [/^dynamodb:BatchGetItem$/, 1.25],
  [/^dynamodb:/, 0.125],
  [/^s3:(Put|Post|Copy|List)/, 5],
  [/^s3:/, 0.4],
  [/^websocket:/, 1],
  [/^execute-api:/, 1],
  [/^http:/, 1],
  [/^kms:/, 3],
  [/^lambda:/, 0.2],
];

/** Of time rather than of requests, us-east-1: Lambda on arm64, and an open WebSocket. */
export const dollarsPerGbSecond = 0.0000133334;
export const dollarsPerConnectionMinute = 0.25 / 1e6;
/** gpt-4o-mini, a million tokens in and out. */
export const dollarsPerMillionTokens = { input: 0.15, output: 0.6 } as const;

/**
 * What AWS asks for these requests. Not in it: Lambda's time, connection minutes, model tokens, and what DynamoDB adds
 * for keeping an index.
 */
export function dollarsFor(requests: Requests): number {
  return Object.entries(requests).reduce((sum, [operation, count]) => {
    const price = dollarsPerMillion.find(([pattern]) => pattern.test(operation))?.[1] ?? 0;
    return sum + (count * price) / 1e6;
  }, 0);
}
