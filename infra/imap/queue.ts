import { alarmOnAge, alarmOnDepth } from "../alarms.ts";
import { functionNamed } from "../lambda.ts";
import { retention, workerTimeouts } from "../queues.ts";

/**
 * Mailboxes at other servers have a queue and a worker of their own: servers that answer slowly keep no other source
 * waiting, and the library that speaks IMAP is in no other bundle.
 */
const deadLetters = new sst.aws.Queue("ImapDeadLetters", { transform: { queue: retention } });
alarmOnDepth("ImapDeadLetters", deadLetters);

/**
 * Standard and fair: hints are coalesced in a batch, and a position is only moved by who finds it as it was read. Items
 * are kept as long as those of Triage.
 */
export const imapQueue = new sst.aws.Queue("Imap", {
  visibilityTimeout: workerTimeouts.imapVisibility,
  transform: { queue: retention },
  dlq: { queue: deadLetters.arn, retry: 5 },
});
alarmOnAge("Imap", imapQueue, 3_600);
export const imapDeadLetters = deadLetters;

/** The function that alone speaks IMAP, by name: others call it while somebody waits. */
export const imapWorker = functionNamed("ImapWorker");
const partition = aws.getPartitionOutput().apply((there) => there.partition);
const region = aws.getRegionOutput().apply((there) => there.name);
const account = aws.getCallerIdentityOutput().apply((caller) => caller.accountId);
const workerArn = $interpolate`arn:${partition}:lambda:${region}:${account}:function:${imapWorker}`;

export const imapLinks = {
  queue: new sst.Linkable("ImapQueue", { properties: { url: imapQueue.url } }),
  worker: new sst.Linkable("ImapWorker", { properties: { name: imapWorker } }),
};

export const mayImap = {
  send: sst.aws.permission({ actions: ["sqs:SendMessage"], resources: [imapQueue.arn] }),
  look: sst.aws.permission({ actions: ["sqs:GetQueueAttributes"], resources: [imapQueue.arn] }),
  call: sst.aws.permission({ actions: ["lambda:InvokeFunction"], resources: [workerArn] }),
};
