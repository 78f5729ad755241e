import { links, may, secrets } from "./access.ts";
import { alarmOnHttp } from "./alarms.ts";
import { imapLinks, mayImap } from "./imap/queue.ts";
import { lambda } from "./lambda.ts";
import { settings } from "./settings.ts";
import { manageConnections, socketLink } from "./socket.ts";

export const httpApi = new sst.aws.ApiGatewayV2("Api", {
  cors: false,
  ...(settings.apiDomain ? { domain: settings.apiDomain } : {}),
});

/** API Gateway checks signature, issuer, audience and expiry before our code is billed for anything. */
const person = httpApi.addAuthorizer({
  name: "Person",
  jwt: { issuer: settings.oidcIssuer, audiences: [settings.oidcAudience] },
});

const handler = new sst.aws.Function(
  "Http",
  lambda("Http", {
    handler: "functions/api/http.handler",
    timeout: "20 seconds",
    environment: {
      FEED_ADDRESSES: settings.feedAddresses,
      GMAIL_API_URL: settings.gmailApiUrl,
      GMAIL_TOPIC: settings.gmailTopic,
      GMAIL_UNITS_PER_MINUTE: settings.gmailUnitsPerMinute,
      GOOGLE_AUTH_URL: settings.googleAuthUrl,
      GOOGLE_CLIENT_ID: settings.googleClientId,
      GOOGLE_REVOKE_URL: settings.googleRevokeUrl,
      GOOGLE_TOKEN_URL: settings.googleTokenUrl,
      IMAP_UNITS_PER_MINUTE: settings.imapUnitsPerMinute,
      MAILBOX_SERVER_URL: settings.mailboxServerUrl,
      PUBLIC_URL: httpApi.url,
    },
    link: [
      links.ledger,
      links.sessions,
      links.sync,
      links.triage,
      imapLinks.queue,
      imapLinks.worker,
      socketLink,
      secrets.address,
      secrets.ticket,
      secrets.google,
      secrets.vault,
    ],
    permissions: [
      may.useLedger("GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"),
      may.queryRecent,
      may.useSessions("GetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"),
      may.sendSync,
      may.sendTriage,
      mayImap.send,
      mayImap.call,
      may.openVault,
      manageConnections,
    ],
  }),
);

httpApi.route("ANY /api/v1/{proxy+}", handler.arn, { auth: { jwt: { authorizer: person.id } } });
httpApi.route("GET /api/v1/scouts/gmail/callback", handler.arn);
httpApi.route("GET /openapi.json", handler.arn);

httpApi.route(
  "POST /api/v1/uploads",
  lambda("Uploads", {
    handler: "functions/api/uploads.handler",
    timeout: "10 seconds",
    link: [links.sessions, links.transit],
    // A presigned POST carries its signer's right.
    permissions: [may.useSessions("GetItem", "UpdateItem"), may.useObjects("PutObject")],
  }),
  { auth: { jwt: { authorizer: person.id } } },
);

httpApi.route(
  "POST /api/v1/scouts/webhooks/gmail",
  lambda("GmailWebhook", {
    handler: "functions/webhook/gmail.handler",
    timeout: "10 seconds",
    environment: {
      PUSH_AUDIENCE: settings.pushAudience,
      PUSH_JWKS_URL: settings.pushJwksUrl,
      PUSH_SERVICE_ACCOUNT: settings.pushServiceAccount,
      PUSH_SUBSCRIPTION: settings.pushSubscription,
    },
    link: [links.ledger, links.sync, secrets.address],
    permissions: [may.useLedger("GetItem"), may.sendSync],
  }),
);

httpApi.route(
  "GET /health",
  lambda("Health", {
    handler: "functions/api/health.handler",
    timeout: "10 seconds",
    link: [
      links.ledger,
      links.sessions,
      links.sync,
      links.triage,
      links.summarize,
      links.agent,
      imapLinks.queue,
      secrets.vault,
      secrets.session,
    ],
    permissions: [
      may.useLedger("GetItem"),
      may.useSessions("GetItem"),
      may.lookAtQueues,
      mayImap.look,
      may.openVault,
      may.openSessions,
    ],
  }),
);

export const apiUrl = httpApi.url;

alarmOnHttp(httpApi);
