import type { AgentMessage, SummarizeMessage, SyncMessage, TriageMessage, TrialMessage } from "../../events/queues.ts";
import { SqsQueue } from "../../shared/aws/sqs-queue.ts";
import { linked } from "../environment.ts";
import { once } from "../once.ts";

export const syncQueue = once(() => new SqsQueue<SyncMessage>(linked("SyncQueue").url));
export const triageQueue = once(() => new SqsQueue<TriageMessage | TrialMessage>(linked("TriageQueue").url));
export const summarizeQueue = once(() => new SqsQueue<SummarizeMessage>(linked("SummarizeQueue").url));
export const agentQueue = once(() => new SqsQueue<AgentMessage>(linked("AgentQueue").url));
