import type { SyncMessage, TriageMessage, TrialMessage } from "../../../events/queues.ts";
import { SqsQueue } from "../../../shared/aws/sqs-queue.ts";
import { SourceQueues } from "../../../shared/scouts/source-queues.ts";
import { linked } from "../../environment.ts";
import { once } from "../../once.ts";
import { syncQueue, triageQueue } from "../queues.ts";

/** Sources whose work has a queue of its own. */
const imap = <M>() => new Map([["imap", new SqsQueue<M>(linked("ImapQueue").url)]]);

/** For whoever has scouts of any source looked at. */
export const syncQueues = once(() => new SourceQueues<SyncMessage>(syncQueue(), imap()));
/** For whoever queues items of any source again. */
export const triageQueues = once(() => new SourceQueues<TriageMessage>(triageQueue(), imap()));
/** For whoever has items of any source judged by another purpose: on the queue they are triaged from. */
export const trialQueues = once(() => new SourceQueues<TrialMessage>(triageQueue(), imap()));
