import type { Context, SQSBatchResponse, SQSEvent } from "aws-lambda";
import * as z from "zod";
import { syncMessage, triageMessage, trialMessage } from "../../events/queues.ts";
import { sourceCall } from "../../events/sources/call.ts";
import type { SourceReply } from "../../events/sources/reply.ts";
import { Delivery } from "../../shared/devices/delivery.ts";
import type { ConnectorRegistry } from "../../shared/scouts/connectors/connector.ts";
import { answerCall } from "../../shared/scouts/connectors/remote/answer-call.ts";
import { triageBatch } from "../../shared/scouts/triage/triage-batch.ts";
import { trialBatch } from "../../shared/scouts/trial/trial-batch.ts";
import { deliveryPortsOver } from "../compose/work/delivery-over.ts";
import { imap, imapQueue } from "../compose/work/imap.ts";
import { syncPorts } from "../compose/work/sync-ports.ts";
import { triagePorts } from "../compose/work/triage-ports.ts";
import { trialStore } from "../compose/work/trial-store.ts";
import { log } from "../log.ts";
import { once } from "../once.ts";
import { inParts, partOf } from "./batch-parts.ts";
import { type Parsed, queueHandler } from "./sqs-batch.ts";
import { syncBatch } from "./sync-batch.ts";

/** Time kept back to write down what became of the batch. */
const reserveMs = 10_000;

/** A trial's message first: without its trial it would be taken for an item to be triaged. */
const message = z.union([trialMessage, triageMessage, syncMessage]);
type Message = z.infer<typeof message>;

const connectors = once((): ConnectorRegistry => new Map([["imap", imap()]]));
const delivery = once(() => new Delivery(deliveryPortsOver(connectors())));

/** Hints and items of mailboxes come on one queue: all are worked off on the same connections. */
const workOff = queueHandler(message, (batch, remainingMs) => {
  const ports = { connectors: connectors(), notices: delivery() };
  const queues = { sync: imapQueue(), triage: imapQueue() };
  const triage = { ...triagePorts(), ...queues, ...ports };
  const left = () => remainingMs() - reserveMs;
  return inParts(batch, [
    partOf(batch, isHint, (own) => syncBatch({ ...syncPorts(), ...queues, ...ports }, own, remainingMs)),
    partOf(batch, isItem, (own) => triageBatch(triage, delivery(), own, left)),
    partOf(batch, isTrial, (own) => trialBatch({ ...triage, trials: trialStore(), queue: imapQueue() }, own, left)),
  ]);
});

/**
 * The one function that speaks IMAP: it works off the mailboxes' queue, and answers what the other functions ask of a
 * mailbox while somebody waits (see RemoteConnector). Connections are given back before it sleeps.
 */
export async function handler(event: unknown, context: Context): Promise<SQSBatchResponse | SourceReply> {
  try {
    return isSqsEvent(event) ? await workOff(event, context) : await reply(event);
  } finally {
    await imap().close();
  }
}

/** Never to a queue: an answer that is no list of failures would take its messages for done. */
async function reply(event: unknown): Promise<SourceReply> {
  try {
    return await answerCall(connectors(), sourceCall.parse(event));
  } catch (error) {
    // The runtime writes what is thrown to the log, and a request quotes content.
    log.error("source_call_failed", error);
    return { v: 1, answer: { what: "failed", failed: { code: "invalid_request", data: {} } } };
  }
}

const isSqsEvent = (event: unknown): event is SQSEvent =>
  typeof event === "object" && event !== null && "Records" in event && Array.isArray(event.Records);

const isTrial = (each: Parsed<Message>): each is Parsed<z.infer<typeof trialMessage>> => "trialId" in each.body;
const isHint = (each: Parsed<Message>): each is Parsed<z.infer<typeof syncMessage>> => "cause" in each.body;
const isItem = (each: Parsed<Message>): each is Parsed<z.infer<typeof triageMessage>> =>
  !isTrial(each) && "ref" in each.body;
