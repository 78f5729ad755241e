import type { SyncMessage, TriageMessage } from "../../events/queues.ts";
import { SqsQueue } from "../../shared/aws/sqs-queue.ts";
import { linked } from "../environment.ts";
import { once } from "../once.ts";

export const syncQueue = once(() => new SqsQueue<SyncMessage>(linked("SyncQueue").url));
export const triageQueue = once(() => new SqsQueue<TriageMessage>(linked("TriageQueue").url));
