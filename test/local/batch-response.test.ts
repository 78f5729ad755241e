import { describe, expect, it } from "vitest";
import type { Delivery } from "../../infra/local/engines/local-queue.ts";
import { failedDeliveries } from "../../infra/local/pollers/batch-response.ts";

const delivery = (messageId: string, messageGroupId: string): Delivery => ({
  receiptHandle: `receipt of ${messageId}`,
  message: {
    messageId,
    messageGroupId,
    body: "",
    md5OfBody: "",
    messageAttributes: {},
    md5OfMessageAttributes: "",
    sentTimestamp: 0,
    approximateReceiveCount: 1,
  },
});
const batch = [delivery("1", "a"), delivery("2", "b"), delivery("3", "a"), delivery("4", "b")];
const failed = (response: unknown, fifo = false) =>
  failedDeliveries(response, batch, fifo).map(({ message }) => message.messageId);
const items = (...identifiers: unknown[]) => ({
  batchItemFailures: identifiers.map((itemIdentifier) => ({ itemIdentifier })),
});

describe("batchItemFailures as Lambda reads them", () => {
  it.each([undefined, null, {}, "", { batchItemFailures: [] }, { batchItemFailures: null }])(
    "%j is success",
    (answer) => {
      expect(failed(answer)).toEqual([]);
    },
  );

  it.each([
    items(""),
    items(null),
    items("5"),
    items("1", "5"),
    { batchItemFailures: [{ itemIdentifer: "1" }] },
    { batchItemFailures: "1" },
  ])("%j fails the whole batch", (answer) => {
    expect(failed(answer)).toEqual(["1", "2", "3", "4"]);
  });

  it("fails the listed ones, and of a FIFO queue also what follows them in their group", () => {
    expect(failed(items("1", "4"))).toEqual(["1", "4"]);
    expect(failed(items("1"), true)).toEqual(["1", "3"]);
  });
});
