import { sessionRing, vaultRing } from "./keys.ts";
import { agentQueue, summarizeQueue, syncQueue, triageQueue } from "./queues.ts";
import { addressKey, googleClientSecret, langfuseSecretKey, modelApiKey, ticketKey } from "./secrets.ts";
import { ledger, sessions, transit } from "./storage.ts";

/**
 * SST's `link` would grant `dynamodb:*` and `sqs:*`. These links carry a resource's name only; what a function may do
 * with it is listed beside the function.
 */
export const links = {
  ledger: new sst.Linkable("LedgerTable", { properties: { name: ledger.name } }),
  sessions: new sst.Linkable("SessionsTable", { properties: { name: sessions.name } }),
  transit: new sst.Linkable("TransitBucket", { properties: { name: transit.name } }),
  sync: new sst.Linkable("SyncQueue", { properties: { url: syncQueue.url } }),
  triage: new sst.Linkable("TriageQueue", { properties: { url: triageQueue.url } }),
  summarize: new sst.Linkable("SummarizeQueue", { properties: { url: summarizeQueue.url } }),
  agent: new sst.Linkable("AgentQueue", { properties: { url: agentQueue.url } }),
};

type TableAction = "GetItem" | "BatchGetItem" | "Query" | "PutItem" | "UpdateItem" | "DeleteItem";

const onTable =
  (table: sst.aws.Dynamo) =>
  (...actions: TableAction[]) =>
    sst.aws.permission({ actions: actions.map((action) => `dynamodb:${action}`), resources: [table.arn] });
const onIndex = (table: sst.aws.Dynamo, index: string) =>
  sst.aws.permission({ actions: ["dynamodb:Query"], resources: [$interpolate`${table.arn}/index/${index}`] });
const onObjects = (...actions: ("GetObject" | "PutObject" | "DeleteObject")[]) =>
  sst.aws.permission({
    actions: actions.map((action) => `s3:${action}`),
    resources: [$interpolate`${transit.arn}/*`],
  });
const onQueue = (queue: sst.aws.Queue) => sst.aws.permission({ actions: ["sqs:SendMessage"], resources: [queue.arn] });

export const may = {
  /** Exactly what the function's code asks of the table. */
  useLedger: onTable(ledger),
  useSessions: onTable(sessions),
  useObjects: onObjects,
  listObjects: sst.aws.permission({ actions: ["s3:ListBucket"], resources: [transit.arn] }),
  queryDue: onIndex(ledger, "due"),
  queryRecent: onIndex(ledger, "recent"),
  queryExpiry: onIndex(sessions, "expiry"),
  sendSync: onQueue(syncQueue),
  sendTriage: onQueue(triageQueue),
  sendSummarize: onQueue(summarizeQueue),
  sendAgent: onQueue(agentQueue),
  lookAtQueues: sst.aws.permission({
    actions: ["sqs:GetQueueAttributes"],
    resources: [syncQueue, triageQueue, summarizeQueue, agentQueue].map((queue) => queue.arn),
  }),
  openVault: vaultRing.open,
  openSessions: sessionRing.open,
};

export const secrets = {
  address: addressKey,
  ticket: ticketKey,
  google: googleClientSecret,
  model: modelApiKey,
  langfuse: langfuseSecretKey,
  vault: vaultRing.secret,
  session: sessionRing.secret,
};
