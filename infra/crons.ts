import { links, may } from "./access.ts";
import { functionDefaults } from "./functions.ts";

/** Starts a sync for every scout whose time has come. EventBridge Scheduler's floor is one minute. */
new sst.aws.CronV2("Poll", {
  schedule: "rate(1 minute)",
  retries: 2,
  function: {
    ...functionDefaults,
    handler: "functions/cron/poll.handler",
    timeout: "1 minute",
    link: [links.ledger, links.sync],
    permissions: [may.useLedger("BatchGetItem", "UpdateItem"), may.queryDue, may.sendSync],
  },
});

/** Queues failed and deferred items again when they are due, and sets those aside that failed too often. */
new sst.aws.CronV2("Due", {
  schedule: "rate(1 minute)",
  retries: 2,
  function: {
    ...functionDefaults,
    handler: "functions/cron/due.handler",
    timeout: "1 minute",
    link: [links.ledger, links.triage],
    permissions: [may.useLedger("BatchGetItem", "UpdateItem"), may.queryDue, may.sendTriage],
  },
});

/** Ends token reservations of workers that died. */
new sst.aws.CronV2("Reservations", {
  schedule: "rate(1 hour)",
  retries: 2,
  function: {
    ...functionDefaults,
    handler: "functions/cron/reservations.handler",
    timeout: "1 minute",
    link: [links.ledger, links.sessions],
    permissions: [
      may.useLedger("GetItem", "BatchGetItem", "UpdateItem"),
      may.queryDue,
      may.useSessions("GetItem", "BatchGetItem"),
    ],
  },
});

/** Deletes what has expired in Sessions, and the objects of sessions that ended, and ends runs nobody moves on; DynamoDB's own TTL may take days. */
new sst.aws.CronV2("Sweep", {
  schedule: "rate(5 minutes)",
  retries: 2,
  function: {
    ...functionDefaults,
    handler: "functions/cron/sweep.handler",
    timeout: "1 minute",
    link: [links.ledger, links.sessions, links.transit],
    permissions: [
      may.useLedger("PutItem"),
      may.useSessions("GetItem", "PutItem", "UpdateItem", "DeleteItem"),
      may.queryExpiry,
      may.listObjects,
      may.useObjects("DeleteObject"),
    ],
  },
});
