import type { Context } from "aws-lambda";
import { expect, test } from "vitest";
import * as z from "zod";
import { inParts, partOf } from "../../../functions/worker/batch-parts.ts";
import { type Parsed, queueHandler } from "../../../functions/worker/sqs-batch.ts";
import { done, type Outcome } from "../../../shared/outcome/outcome.ts";

const kind = z.enum(["read", "written"]);
type Message = { readonly kind: z.infer<typeof kind> };

const received = (...kinds: Message["kind"][]): Parsed<Message>[] =>
  kinds.map((each, index) => ({ body: { kind: each }, receiveCount: 1, messageId: `m${index}` }));
const isRead = (each: Parsed<Message>): each is Parsed<Message> => each.body.kind === "read";
const isWritten = (each: Parsed<Message>): each is Parsed<Message> => each.body.kind === "written";
const again: Outcome = { kind: "retry", code: "internal" };

test("outcomes of the parts come in the order of the messages", async () => {
  const batch = received("read", "written", "read");
  const work = (outcome: Outcome) => async (own: readonly Parsed<Message>[]) => own.map(() => outcome);
  const parts = [
    partOf(batch, isRead, work(done)),
    partOf(batch, isWritten, work({ kind: "drop", code: "item_gone" })),
  ];
  expect(await inParts(batch, parts)).toEqual([done, { kind: "drop", code: "item_gone" }, done]);
});

test("P2: a message whose part says nothing of it comes again", async () => {
  const batch = received("read", "read");
  expect(await inParts(batch, [partOf(batch, isRead, async () => [done])])).toEqual([done, again]);
});

test("P2: a message that is of no part comes again", async () => {
  const batch = received("read", "written");
  expect(await inParts(batch, [partOf(batch, isRead, async () => [done])])).toEqual([done, again]);
});

test("P2: a message the whole batch's work says nothing of is reported to the queue", async () => {
  const handler = queueHandler(z.object({ kind }), async () => [done]);
  const record = (messageId: string) => ({
    messageId,
    receiptHandle: messageId,
    body: JSON.stringify({ kind: "read" }),
    attributes: {
      ApproximateReceiveCount: "1",
      SentTimestamp: "0",
      SenderId: "",
      ApproximateFirstReceiveTimestamp: "0",
    },
    messageAttributes: {},
    md5OfBody: "",
    eventSource: "aws:sqs",
    eventSourceARN: "",
    awsRegion: "",
  });
  const context = { getRemainingTimeInMillis: () => 60_000 } as Context;
  const answer = await handler({ Records: [record("first"), record("second")] }, context);
  expect(answer.batchItemFailures).toEqual([{ itemIdentifier: "second" }]);
});
