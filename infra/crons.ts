import { links, may, secrets } from "./access.ts";
import { alarmOnSilence } from "./alarms.ts";
import { imapLinks, mayImap } from "./imap/queue.ts";
import { lambda } from "./lambda.ts";
import { settings } from "./settings.ts";

interface Timer {
  readonly schedule: `rate(${string})`;
  /** Seconds after which a run should have come to its end; an alarm says so when none has. */
  readonly quietSeconds: number;
  readonly args: Parameters<typeof lambda>[1];
}

function timer(name: string, { schedule, quietSeconds, args }: Timer): void {
  const definition = lambda(name, { timeout: "1 minute", ...args });
  new sst.aws.CronV2(name, { schedule, retries: 2, function: definition });
  alarmOnSilence(name, definition.name, quietSeconds);
}

/** Starts a sync for every scout whose time has come. EventBridge Scheduler's floor is one minute. */
timer("Poll", {
  schedule: "rate(1 minute)",
  quietSeconds: 600,
  args: {
    handler: "functions/cron/poll.handler",
    link: [links.ledger, links.sync, imapLinks.queue],
    permissions: [may.useLedger("BatchGetItem", "UpdateItem"), may.queryDue, may.sendSync, mayImap.send],
  },
});

/** Queues failed and deferred items again when they are due; probes a model that could not be asked (shared/breaker). */
timer("Due", {
  schedule: "rate(1 minute)",
  quietSeconds: 600,
  args: {
    handler: "functions/cron/due.handler",
    environment: { OPENAI_BASE_URL: settings.modelBaseUrl, OPENAI_MODEL: settings.model },
    link: [links.ledger, links.triage, imapLinks.queue, secrets.model],
    permissions: [may.useLedger("GetItem", "BatchGetItem", "UpdateItem"), may.queryDue, may.sendTriage, mayImap.send],
  },
});

/** Ends token reservations of workers that died; looks at everybody who had tokens set aside within two hours. */
timer("Reservations", {
  schedule: "rate(1 hour)",
  quietSeconds: 10_800,
  args: {
    timeout: "10 minutes",
    handler: "functions/cron/reservations.handler",
    link: [links.ledger, links.sessions],
    permissions: [
      may.useLedger("GetItem", "BatchGetItem", "UpdateItem"),
      may.queryDue,
      may.useSessions("GetItem", "BatchGetItem"),
    ],
  },
});

/** Deletes what has expired in Sessions, and the objects of sessions that ended, and ends runs nobody moves on; DynamoDB's own TTL may take days. */
timer("Sweep", {
  schedule: "rate(5 minutes)",
  quietSeconds: 1_800,
  args: {
    handler: "functions/cron/sweep.handler",
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
