import { links, may, secrets } from "./access.ts";
import { alarmOnSocket } from "./alarms.ts";
import { imapLinks, mayImap } from "./imap/queue.ts";
import { lambda } from "./lambda.ts";
import { settings, sources } from "./settings.ts";

/** Data tracing would write frames, and so content, into CloudWatch: it stays off. */
export const socket = new sst.aws.ApiGatewayWebSocket("Socket", {
  ...(settings.socketDomain ? { domain: settings.socketDomain } : {}),
  transform: {
    stage: {
      defaultRouteSettings: {
        dataTraceEnabled: false,
        loggingLevel: "OFF",
        throttlingBurstLimit: 5000,
        throttlingRateLimit: 10_000,
      },
    },
  },
});

export const socketLink = new sst.Linkable("DeviceSocket", {
  properties: { url: socket.url, managementEndpoint: socket.managementEndpoint },
});
export const manageConnections = sst.aws.permission({
  actions: ["execute-api:ManageConnections"],
  resources: [$interpolate`${socket.nodes.api.executionArn}/*/*/@connections/*`],
});

const authorizer = socket.addAuthorizer("Ticket", {
  lambda: {
    function: lambda("SocketAuthorizer", {
      handler: "functions/socket/authorize.handler",
      timeout: "10 seconds",
      link: [links.sessions, secrets.ticket],
      permissions: [may.useSessions("PutItem")],
    }),
    identitySources: ["route.request.querystring.ticket"],
  },
});

socket.route(
  "$connect",
  lambda("SocketConnect", { handler: "functions/socket/connect.handler", timeout: "10 seconds" }),
  { auth: { lambda: authorizer.id } },
);

socket.route(
  "$disconnect",
  lambda("SocketDisconnect", {
    handler: "functions/socket/disconnect.handler",
    timeout: "10 seconds",
    link: [links.sessions],
    permissions: [may.useSessions("UpdateItem", "DeleteItem")],
  }),
);

socket.route(
  "$default",
  lambda("SocketMessage", {
    handler: "functions/socket/message.handler",
    timeout: "29 seconds",
    environment: { ...sources, CATEGORIZE: settings.categorize },
    link: [
      links.agent,
      links.ledger,
      links.sessions,
      links.summarize,
      links.sync,
      imapLinks.queue,
      imapLinks.worker,
      socketLink,
      secrets.google,
      secrets.vault,
      secrets.session,
    ],
    permissions: [
      may.useLedger("GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem"),
      may.queryRecent,
      may.sendAgent,
      may.sendSummarize,
      may.sendSync,
      mayImap.send,
      mayImap.call,
      may.useSessions("GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"),
      may.openVault,
      may.openSessions,
      manageConnections,
    ],
  }),
);

alarmOnSocket(socket);
