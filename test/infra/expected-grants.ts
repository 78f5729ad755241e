/**
 * What each function is allowed to do, and why nothing less would do. A grant that is not in this table fails the
 * test, so that widening one is a decision somebody reads.
 */
const ledger = {
  get: ["dynamodb:GetItem on Ledger"],
  read: ["dynamodb:GetItem on Ledger", "dynamodb:BatchGetItem on Ledger", "dynamodb:Query on Ledger"],
  update: ["dynamodb:UpdateItem on Ledger"],
  write: ["dynamodb:PutItem on Ledger", "dynamodb:UpdateItem on Ledger", "dynamodb:DeleteItem on Ledger"],
  due: ["dynamodb:Query on Ledger/index/due"],
  recent: ["dynamodb:Query on Ledger/index/recent"],
};
const sessions = {
  read: ["dynamodb:GetItem on Sessions", "dynamodb:Query on Sessions"],
  write: ["dynamodb:PutItem on Sessions", "dynamodb:UpdateItem on Sessions", "dynamodb:DeleteItem on Sessions"],
  delete: ["dynamodb:DeleteItem on Sessions"],
  expiry: ["dynamodb:Query on Sessions/index/expiry"],
};
const send = (queue: string) => [`sqs:SendMessage on ${queue}`];
/** What Lambda's poller needs, granted by SST with the subscription. */
const work = (queue: string) =>
  ["ChangeMessageVisibility", "DeleteMessage", "GetQueueAttributes", "GetQueueUrl", "ReceiveMessage"].map(
    (action) => `sqs:${action} on ${queue}`,
  );
const open = (ring: string) => [`kms:Decrypt on ${ring}`];
const post = ["execute-api:ManageConnections on Socket/*/*/@connections/*"];

export const expectedGrants: Record<string, string[]> = {
  /** Finds the scouts of an address; an unknown one costs a read and nothing else. */
  "functions/webhook/gmail.handler": [...ledger.get, ...send("Sync")],
  /** Scouts, vault, tickets and OAuth states; starts a first sync. */
  "functions/api/http.handler": [
    ...ledger.read,
    ...ledger.write,
    ...sessions.read,
    ...sessions.write,
    ...send("Sync"),
    ...open("VaultKeyRing"),
  ],
  /** Spends the ticket. */
  "functions/socket/authorize.handler": sessions.write,
  "functions/socket/connect.handler": sessions.write,
  "functions/socket/disconnect.handler": sessions.write,
  /** Pages of proposals with fresh metadata, decisions, whole items: mail is read, so the vault is opened. */
  "functions/socket/message.handler": [
    ...ledger.read,
    ...ledger.write,
    ...ledger.recent,
    ...sessions.read,
    ...sessions.write,
    ...send("Sync"),
    ...open("VaultKeyRing"),
    ...open("SessionKeyRing"),
    ...post,
  ],
  "functions/worker/sync.handler": [
    ...work("Sync"),
    ...ledger.read,
    ...ledger.write,
    ...send("Sync"),
    ...send("Triage"),
    ...open("VaultKeyRing"),
  ],
  /** Deletes a connection that answers 410 and re-queues what has to wait. */
  "functions/worker/triage.handler": [
    ...work("Triage"),
    ...ledger.read,
    ...ledger.write,
    ...sessions.read,
    ...sessions.delete,
    ...send("Triage"),
    ...open("VaultKeyRing"),
    ...post,
  ],
  "functions/cron/poll.handler": [...ledger.get, ...ledger.update, ...ledger.due, ...send("Sync")],
  "functions/cron/due.handler": [...ledger.get, ...ledger.update, ...ledger.due, ...send("Triage")],
  "functions/cron/sweep.handler": [...sessions.delete, ...sessions.expiry],
};
