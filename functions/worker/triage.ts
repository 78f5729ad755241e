import { triageMessage } from "../../events/queues.ts";
import { triageBatch } from "../../shared/scouts/triage/triage-batch.ts";
import { connectors } from "../compose/connectors.ts";
import { delivery } from "../compose/delivery.ts";
import { triageQueue } from "../compose/queues.ts";
import { triagePorts } from "../compose/work/triage-ports.ts";
import { queueHandler } from "./sqs-batch.ts";

/** Time kept back to write down what became of the batch. */
const reserveMs = 10_000;

export const handler = queueHandler(triageMessage, (batch, remainingMs) => {
  const ports = { ...triagePorts(), connectors: connectors(), notices: delivery(), triage: triageQueue() };
  return triageBatch(ports, delivery(), batch, () => remainingMs() - reserveMs);
});
