import { links, may, secrets } from "./access.ts";
import { imapLinks, mayImap } from "./imap/queue.ts";
import { agentQueue, summarizeQueue, syncQueue, triageQueue, workerTimeouts, workOff } from "./queues.ts";
import { settings, sources } from "./settings.ts";
import { manageConnections, socketLink } from "./socket.ts";

workOff(
  syncQueue,
  "SyncWorker",
  {
    handler: "functions/worker/sync.handler",
    timeout: workerTimeouts.sync,
    environment: sources,
    link: [
      links.ledger,
      links.sessions,
      links.sync,
      links.triage,
      imapLinks.worker,
      socketLink,
      secrets.google,
      secrets.vault,
    ],
    permissions: [
      may.useLedger("GetItem", "Query", "PutItem", "UpdateItem"),
      may.queryRecent,
      may.useSessions("Query", "DeleteItem"),
      may.sendSync,
      may.sendTriage,
      mayImap.call,
      may.openVault,
      manageConnections,
    ],
  },
  { size: 10, concurrency: settings.syncConcurrency },
);

workOff(
  triageQueue,
  "TriageWorker",
  {
    handler: "functions/worker/triage.handler",
    timeout: workerTimeouts.triage,
    environment: {
      ...sources,
      OPENAI_BASE_URL: settings.modelBaseUrl,
      OPENAI_MODEL: settings.model,
      TRIAGE_CASCADE: settings.triageCascade,
    },
    link: [
      links.ledger,
      links.sessions,
      links.triage,
      imapLinks.worker,
      socketLink,
      secrets.google,
      secrets.model,
      secrets.vault,
    ],
    permissions: [
      may.useLedger("GetItem", "BatchGetItem", "PutItem", "UpdateItem", "DeleteItem"),
      may.useSessions("GetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"),
      may.sendTriage,
      mayImap.call,
      may.openVault,
      manageConnections,
    ],
  },
  { size: 10, concurrency: settings.triageConcurrency },
);

workOff(
  summarizeQueue,
  "SummarizeWorker",
  {
    handler: "functions/worker/summarize.handler",
    timeout: workerTimeouts.summarize,
    environment: { OPENAI_BASE_URL: settings.modelBaseUrl, OPENAI_MODEL: settings.model },
    link: [links.ledger, links.sessions, links.summarize, links.transit, socketLink, secrets.model, secrets.session],
    permissions: [
      may.useLedger("GetItem", "PutItem", "UpdateItem"),
      may.useSessions("GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"),
      may.useObjects("GetObject", "DeleteObject"),
      // Without it S3 answers 403 instead of 404 for an object that is not there.
      may.listObjects,
      may.sendSummarize,
      may.openSessions,
      manageConnections,
    ],
  },
  { size: 5, concurrency: settings.summarizeConcurrency },
);

workOff(
  agentQueue,
  "AgentWorker",
  {
    handler: "functions/worker/agent.handler",
    timeout: workerTimeouts.agent,
    environment: {
      OPENAI_BASE_URL: settings.modelBaseUrl,
      OPENAI_MODEL: settings.model,
      OPENAI_PRICES: settings.modelPrices,
      LANGFUSE_URL: settings.langfuseUrl,
      LANGFUSE_PUBLIC_KEY: settings.langfusePublicKey,
    },
    link: [
      links.ledger,
      links.sessions,
      links.transit,
      links.agent,
      socketLink,
      secrets.model,
      secrets.langfuse,
      secrets.session,
    ],
    permissions: [
      may.useLedger("GetItem", "PutItem", "UpdateItem"),
      may.useSessions("GetItem", "UpdateItem", "DeleteItem"),
      may.useObjects("GetObject", "PutObject", "DeleteObject"),
      // As above.
      may.listObjects,
      may.sendAgent,
      may.openSessions,
      manageConnections,
    ],
  },
  { size: 1, concurrency: settings.agentConcurrency },
);
