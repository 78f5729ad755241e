import { links, may, secrets } from "../access.ts";
import { workerTimeouts, workOff } from "../queues.ts";
import { settings } from "../settings.ts";
import { manageConnections, socketLink } from "../socket.ts";
import { imapLinks, imapQueue, mayImap } from "./queue.ts";

workOff(
  imapQueue,
  "ImapWorker",
  {
    handler: "functions/worker/imap.handler",
    timeout: workerTimeouts.imap,
    environment: {
      IMAP_ADDRESSES: settings.imapAddresses,
      IMAP_LISTENER_URL: settings.imapListenerUrl,
      IMAP_UNITS_PER_MINUTE: settings.imapUnitsPerMinute,
      OPENAI_BASE_URL: settings.modelBaseUrl,
      OPENAI_MODEL: settings.model,
      TRIAGE_CASCADE: settings.triageCascade,
    },
    link: [links.ledger, links.sessions, imapLinks.queue, socketLink, secrets.model, secrets.vault],
    permissions: [
      may.useLedger("GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"),
      may.queryRecent,
      may.useSessions("GetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"),
      mayImap.send,
      may.openVault,
      manageConnections,
    ],
  },
  { size: 10, concurrency: settings.imapConcurrency },
);
