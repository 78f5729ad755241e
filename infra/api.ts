import { links, may, secrets } from "./access.ts";
import { alarmOnHttp } from "./alarms.ts";
import { imapLinks, mayImap } from "./imap/queue.ts";
import { lambda } from "./lambda.ts";
import { settings, sources } from "./settings.ts";
import { manageConnections, socketLink } from "./socket.ts";

interface Throttled {
  readonly routeKey: $util.Input<string>;
  readonly throttlingRateLimit: number;
  readonly throttlingBurstLimit: number;
}
/** Told when all are declared: API Gateway has no settings for a route that is not there, and SST makes the stage first. */
const openRoutes = Promise.withResolvers<Throttled[]>();

export const httpApi = new sst.aws.ApiGatewayV2("Api", {
  cors: false,
  ...(settings.apiDomain ? { domain: settings.apiDomain } : {}),
  transform: { stage: { routeSettings: $output(openRoutes.promise) } },
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
      ...sources,
      GOOGLE_AUTH_URL: settings.googleAuthUrl,
      GOOGLE_REVOKE_URL: settings.googleRevokeUrl,
      // The API's own word for its domain waits for the stage, and the stage for this function's open routes.
      PUBLIC_URL: settings.apiDomain ? `https://${settings.apiDomain}` : httpApi.url,
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

/**
 * A route that needs no token may take only a part of what the account lets in: 10,000 requests a second, of all APIs and sockets
 * together. More is answered 429, by API Gateway itself, before any code of ours is paid for. The limit is everybody's together
 * (HTTP API guide, "Throttle requests"), so it lies far above what honest callers make.
 *
 * @param perSecond for long @param burst at once
 */
function openRoute(
  key: string,
  handler: Parameters<typeof httpApi.route>[1],
  perSecond: number,
  burst: number,
): Throttled {
  const { routeKey } = httpApi.route(key, handler).nodes.route;
  return { routeKey, throttlingRateLimit: perSecond, throttlingBurstLimit: burst };
}

httpApi.route("ANY /api/v1/{proxy+}", handler.arn, { auth: { jwt: { authorizer: person.id } } });

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

const gmailWebhook = lambda("GmailWebhook", {
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
});

const health = lambda("Health", {
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
});

openRoutes.resolve([
  // A hundred people who are sent to us at once by one message; whoever reloads comes in.
  openRoute("GET /api/v1/scouts/gmail/callback", handler.arn, 20, 100),
  openRoute("GET /openapi.json", handler.arn, 20, 100),
  // Monitors of several places, every few seconds.
  openRoute("GET /health", health, 20, 100),
  // Mail of fifty thousand people at a round hour, which is what Gmail's own limit carries. Pub/Sub waits and pushes again what is
  // refused, and slows down (Pub/Sub guide, "Push backoff"): nothing is lost, and scouts are polled besides.
  openRoute("POST /api/v1/scouts/webhooks/gmail", gmailWebhook, 1_000, 2_000),
]);

export const apiUrl = httpApi.url;

alarmOnHttp(httpApi);
