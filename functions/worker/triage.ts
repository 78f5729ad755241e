import * as z from "zod";
import { triageMessage, trialMessage } from "../../events/queues.ts";
import { triageBatch } from "../../shared/scouts/triage/triage-batch.ts";
import { trialBatch } from "../../shared/scouts/trial/trial-batch.ts";
import { connectors } from "../compose/connectors.ts";
import { delivery } from "../compose/delivery.ts";
import { triageQueue } from "../compose/queues.ts";
import { triagePorts } from "../compose/work/triage-ports.ts";
import { trialStore } from "../compose/work/trial-store.ts";
import { inParts, partOf } from "./batch-parts.ts";
import { type Parsed, queueHandler } from "./sqs-batch.ts";

/** Time kept back to write down what became of the batch. */
const reserveMs = 10_000;

/** A trial's message first: without its trial it would be taken for the other. */
const message = z.union([trialMessage, triageMessage]);
type Message = z.infer<typeof message>;

export const handler = queueHandler(message, (batch, remainingMs) => {
  const ports = { ...triagePorts(), connectors: connectors() };
  const left = () => remainingMs() - reserveMs;
  return inParts(batch, [
    partOf(batch, isItem, (own) =>
      triageBatch({ ...ports, notices: delivery(), triage: triageQueue() }, delivery(), own, left),
    ),
    partOf(batch, isTrial, (own) => trialBatch({ ...ports, trials: trialStore(), queue: triageQueue() }, own, left)),
  ]);
});

const isTrial = (each: Parsed<Message>): each is Parsed<z.infer<typeof trialMessage>> => "trialId" in each.body;
const isItem = (each: Parsed<Message>): each is Parsed<z.infer<typeof triageMessage>> => !isTrial(each);
