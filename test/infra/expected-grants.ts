/**
 * What each function is allowed to do, and why. A grant that is not in this table fails the test, so that widening one
 * is a decision somebody reads; a grant that is missing fails in the local home, which refuses what IAM would refuse.
 */
const onLedger = (...actions: string[]) => actions.map((action) => `dynamodb:${action} on Ledger`);
const onSessions = (...actions: string[]) => actions.map((action) => `dynamodb:${action} on Sessions`);
const onIndex = (index: string) => [`dynamodb:Query on ${index}`];
const send = (queue: string) => [`sqs:SendMessage on ${queue}`];
/** What Lambda's poller needs, granted by SST with the subscription. */
/** What only the function that speaks IMAP can do is asked of it. */
const callImap = ["lambda:InvokeFunction on ImapWorker"];
const work = (queue: string) =>
  ["ChangeMessageVisibility", "DeleteMessage", "GetQueueAttributes", "GetQueueUrl", "ReceiveMessage"].map(
    (action) => `sqs:${action} on ${queue}`,
  );
const open = (ring: string) => [`kms:Decrypt on ${ring}`];
const onObjects = (...actions: string[]) => actions.map((action) => `s3:${action} on Transit/*`);
const listObjects = ["s3:ListBucket on Transit"];
const post = ["execute-api:ManageConnections on Socket/*/*/@connections/*"];

export const expectedGrants: Record<string, string[]> = {
  /** Finds the scouts of an address; an unknown one costs a read and nothing else. */
  "functions/webhook/gmail.handler": [...onLedger("GetItem"), ...send("Sync")],
  /**
   * Scouts, their vault and mailbox, lists of spam, and all of it deleted with the scout; in Sessions the person's rate,
   * idempotency keys, spent consents, and connections, since a restored item is posted. A connected scout is synced,
   * and what another purpose is tried on is queued.
   */
  "functions/api/http.handler": [
    ...onLedger("GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"),
    ...onIndex("Ledger/index/recent"),
    ...onSessions("GetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"),
    ...send("Sync"),
    ...send("Triage"),
    ...send("Imap"),
    ...callImap,
    ...open("VaultKeyRing"),
    ...post,
  ],
  /** The person's rate and the device's session; offers to upload are signed with its own right to put objects. */
  "functions/api/uploads.handler": [...onSessions("GetItem", "UpdateItem"), ...onObjects("PutObject")],
  /** Looks whether tables, queues and key rings can be used, and says so by code; takes no input. */
  "functions/api/health.handler": [
    ...onLedger("GetItem"),
    ...onSessions("GetItem"),
    ...["Sync", "Triage", "Summarize", "Agent", "Imap"].map((queue) => `sqs:GetQueueAttributes on ${queue}`),
    ...open("VaultKeyRing"),
    ...open("SessionKeyRing"),
  ],
  /** Spends the ticket by writing its id down. */
  "functions/socket/authorize.handler": onSessions("PutItem"),
  /** Admits what the authorizer let through; a connection is written down when it says hello. */
  "functions/socket/connect.handler": [],
  /** Forgets the connection and gives its session two hours. */
  "functions/socket/disconnect.handler": onSessions("UpdateItem", "DeleteItem"),
  /**
   * Sessions and connections; pages of proposals with fresh metadata and whole items, so the vault is opened. A hello
   * looks at the person's scouts and wakes those that rest. Files are queued to be summarised, steps of runs to be
   * taken.
   */
  "functions/socket/message.handler": [
    ...onLedger("GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem"),
    ...onIndex("Ledger/index/recent"),
    ...send("Agent"),
    ...send("Summarize"),
    ...send("Sync"),
    ...send("Imap"),
    ...callImap,
    ...onSessions("GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"),
    ...open("VaultKeyRing"),
    ...open("SessionKeyRing"),
    ...post,
  ],
  /**
   * Moves the scout's position, writes the run, keeps a refreshed token; goes on in a message to itself. Closes expired
   * proposals, queues what waited for access, tells connected devices when access is gone.
   */
  "functions/worker/sync.handler": [
    ...work("Sync"),
    ...onLedger("GetItem", "Query", "PutItem", "UpdateItem"),
    ...onIndex("Ledger/index/recent"),
    ...onSessions("Query", "DeleteItem"),
    ...post,
    ...send("Sync"),
    ...send("Triage"),
    ...callImap,
    ...open("VaultKeyRing"),
  ],
  /**
   * Writes verdicts and results of trials, forgets items of removed scouts, posts to connections and forgets those that answer 410,
   * re-queues what waits.
   */
  "functions/worker/triage.handler": [
    ...work("Triage"),
    ...onLedger("GetItem", "BatchGetItem", "PutItem", "UpdateItem", "DeleteItem"),
    ...onSessions("GetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"),
    ...send("Triage"),
    ...callImap,
    ...open("VaultKeyRing"),
    ...post,
  ],
  /** Both of that for mailboxes at other servers, and what people wait for: all that takes their passwords. */
  "functions/worker/imap.handler": [
    ...work("Imap"),
    ...onLedger("GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"),
    ...onIndex("Ledger/index/recent"),
    ...onSessions("GetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"),
    ...send("Imap"),
    ...open("VaultKeyRing"),
    ...post,
  ],
  /**
   * Opens content with its session's key, sets tokens aside, writes results and at the end the run; posts to connections
   * and forgets those that answer 410; queues again what has to wait; deletes objects. Listing makes a missing one a 404.
   */
  "functions/worker/summarize.handler": [
    ...work("Summarize"),
    ...onLedger("GetItem", "PutItem", "UpdateItem"),
    ...onSessions("GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"),
    ...onObjects("GetObject", "DeleteObject"),
    ...listObjects,
    ...send("Summarize"),
    ...open("SessionKeyRing"),
    ...post,
  ],
  /**
   * Opens what a step starts from, sets tokens aside, keeps continuation and outgoing frame sealed, moves the run on and
   * writes at its end what ran; posts to connections and forgets those that answer 410; goes on in a message to itself.
   */
  "functions/worker/agent.handler": [
    ...work("Agent"),
    ...onLedger("GetItem", "PutItem", "UpdateItem"),
    ...onSessions("GetItem", "UpdateItem", "DeleteItem"),
    ...onObjects("GetObject", "PutObject", "DeleteObject"),
    ...listObjects,
    ...send("Agent"),
    ...open("SessionKeyRing"),
    ...post,
  ],
  "functions/cron/poll.handler": [
    ...onLedger("BatchGetItem", "UpdateItem"),
    ...onIndex("Ledger/index/due"),
    ...send("Sync"),
    ...send("Imap"),
  ],
  "functions/cron/due.handler": [
    ...onLedger("GetItem", "BatchGetItem", "UpdateItem"),
    ...onIndex("Ledger/index/due"),
    ...send("Triage"),
    ...send("Imap"),
  ],
  "functions/cron/reservations.handler": [
    ...onLedger("GetItem", "BatchGetItem", "UpdateItem"),
    ...onIndex("Ledger/index/due"),
    ...onSessions("GetItem", "BatchGetItem"),
  ],
  /** Ends sessions whose time is over, deletes their objects, and everything else that has expired; notes lost runs. */
  "functions/cron/sweep.handler": [
    ...onLedger("PutItem"),
    ...onSessions("GetItem", "PutItem", "UpdateItem", "DeleteItem"),
    ...onIndex("Sessions/index/expiry"),
    ...listObjects,
    ...onObjects("DeleteObject"),
  ],
};
