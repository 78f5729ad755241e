import { syncMessage } from "../../events/queues.ts";
import { connectors } from "../compose/connectors.ts";
import { delivery } from "../compose/delivery.ts";
import { syncQueue, triageQueue } from "../compose/queues.ts";
import { syncPorts } from "../compose/work/sync-ports.ts";
import { queueHandler } from "./sqs-batch.ts";
import { syncBatch } from "./sync-batch.ts";

export const handler = queueHandler(syncMessage, (batch, remainingMs) => {
  const queues = { sync: syncQueue(), triage: triageQueue() };
  return syncBatch({ ...syncPorts(), ...queues, connectors: connectors(), notices: delivery() }, batch, remainingMs);
});
