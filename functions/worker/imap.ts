import type { Context, SQSBatchResponse, SQSEvent } from "aws-lambda";
import * as z from "zod";
import { syncMessage, triageMessage } from "../../events/queues.ts";
import { type SourceReply, sourceCall } from "../../events/sources.ts";
import { Delivery } from "../../shared/devices/delivery.ts";
import { done, type Outcome } from "../../shared/outcome/outcome.ts";
import type { ConnectorRegistry } from "../../shared/scouts/connectors/connector.ts";
import { answerCall } from "../../shared/scouts/connectors/remote/answer-call.ts";
import { triageBatch } from "../../shared/scouts/triage/triage-batch.ts";
import { deliveryPortsOver } from "../compose/work/delivery-over.ts";
import { imap, imapQueue } from "../compose/work/imap.ts";
import { syncPorts } from "../compose/work/sync-ports.ts";
import { triagePorts } from "../compose/work/triage-ports.ts";
import { log } from "../log.ts";
import { once } from "../once.ts";
import { type Parsed, queueHandler } from "./sqs-batch.ts";
import { syncBatch } from "./sync-batch.ts";

/** Time kept back to write down what became of the batch. */
const reserveMs = 10_000;

type Message = z.infer<typeof syncMessage> | z.infer<typeof triageMessage>;

const connectors = once((): ConnectorRegistry => new Map([["imap", imap()]]));
const delivery = once(() => new Delivery(deliveryPortsOver(connectors())));

/** Hints and items of mailboxes come on one queue: both are worked off on the same connections. */
const workOff = queueHandler(z.union([triageMessage, syncMessage]), async (batch, remainingMs) => {
  const ports = { connectors: connectors(), notices: delivery() };
  const queues = { sync: imapQueue(), triage: imapQueue() };
  const hints = batch.filter(isHint);
  const items = batch.filter(isItem);
  const left = () => remainingMs() - reserveMs;
  const [looked, judged] = await Promise.all([
    hints.length > 0 ? syncBatch({ ...syncPorts(), ...queues, ...ports }, hints, remainingMs) : [],
    items.length > 0 ? triageBatch({ ...triagePorts(), ...queues, ...ports }, delivery(), items, left) : [],
  ]);
  const outcomes = new Map<Parsed<Message>, Outcome | undefined>([
    ...hints.map((message, index): [Parsed<Message>, Outcome | undefined] => [message, looked[index]]),
    ...items.map((message, index): [Parsed<Message>, Outcome | undefined] => [message, judged[index]]),
  ]);
  return batch.map((message) => outcomes.get(message) ?? done);
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

const isHint = (message: Parsed<Message>): message is Parsed<z.infer<typeof syncMessage>> => "cause" in message.body;
const isItem = (message: Parsed<Message>): message is Parsed<z.infer<typeof triageMessage>> => "ref" in message.body;
