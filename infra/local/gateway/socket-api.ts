import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type RawData, type WebSocket, WebSocketServer } from "ws";
import type { Meter } from "../engines/meter.ts";
import type { FaultInjector } from "../faults.ts";
import type { SocketApiNode } from "../graph.ts";
import type { FunctionPool } from "../host/function-pool.ts";
import { readAuthorization } from "./authorizer.ts";
import { type Clock, Connection, heldBytes, socketLimits } from "./connections.ts";
import { FrameMeter } from "./frame-meter.ts";
import { handshakeRefusal } from "./handshake.ts";
import { Intake } from "./intake.ts";
import { type Caller, gatewayId, requestContext, upgradeFields } from "./socket-event.ts";

export interface SocketApiOptions {
  api: SocketApiNode;
  pools: ReadonlyMap<string, Pick<FunctionPool, "invoke">>;
  meter: Meter;
  clock: Clock;
  faults: FaultInjector | undefined;
}

const bytes = (data: RawData): Buffer =>
  Buffer.isBuffer(data) ? data : Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);

function refuse(socket: Duplex, status: number, reason: string): void {
  if (socket.destroyed) return;
  const body = JSON.stringify({ message: reason });
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
  );
}

const statusOf = (result: unknown): number =>
  typeof result === "object" && result !== null && "statusCode" in result ? Number(result.statusCode) : 502;

/** A WebSocket API: authorizer and `$connect` before the connection exists, then events, then `$disconnect`. */
export class SocketApi {
  readonly connections = new Map<string, Connection>();
  readonly #options: SocketApiOptions;
  readonly #server = new WebSocketServer({
    noServer: true,
    maxPayload: socketLimits.messageBytes,
    perMessageDeflate: false,
  });
  #isClosed = false;

  constructor(options: SocketApiOptions) {
    this.#options = options;
  }

  /** Handles an HTTP upgrade to this API. */
  async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on("error", () => socket.destroy());
    const wrong = handshakeRefusal(request);
    if (wrong !== undefined) return refuse(socket, wrong, wrong === 405 ? "Method Not Allowed" : "Bad Request");
    const { api, clock, meter } = this.#options;
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    const fields = upgradeFields(request, url);
    const connectedAtMs = clock.now();
    const caller: Caller = {
      connectionId: gatewayId(),
      connectedAtMs,
      sourceIp: request.socket.remoteAddress ?? "127.0.0.1",
      userAgent: request.headers["user-agent"] ?? "",
      authorizer: undefined,
    };
    meter.count("websocket", "Connect");
    const route = api.routes["$connect"];
    const authorizer = route?.authorizer === undefined ? undefined : api.authorizers[route.authorizer];
    if (authorizer) {
      const present = authorizer.identitySources.every((source) => identityOf(source, request, url));
      if (!present) return refuse(socket, 401, "Unauthorized");
      const methodArn = `${api.executionArn}/$default/$connect`;
      const outcome = await this.#invoke(authorizer.function, {
        type: "REQUEST",
        methodArn,
        ...fields,
        stageVariables: {},
        requestContext: requestContext(caller, "$connect", "CONNECT", connectedAtMs),
        isBase64Encoded: false,
      });
      if (outcome?.status !== "success") {
        return outcome?.error.unauthorized
          ? refuse(socket, 401, "Unauthorized")
          : refuse(socket, 500, "Internal server error");
      }
      const decision = readAuthorization(outcome.result, methodArn);
      if (!decision.allowed) {
        return decision.reason === "denied"
          ? refuse(socket, 403, "Forbidden")
          : refuse(socket, 500, `Internal server error: ${decision.reason}`);
      }
      caller.authorizer = decision.context;
    }
    if (route) {
      const outcome = await this.#invoke(route.function, {
        ...fields,
        requestContext: requestContext(caller, "$connect", "CONNECT", connectedAtMs),
        isBase64Encoded: false,
      });
      if (outcome?.status !== "success") return refuse(socket, 502, "Bad Gateway");
      const status = statusOf(outcome.result);
      if (status < 200 || status > 299) return refuse(socket, status, "Forbidden");
    }
    if (socket.destroyed || this.#isClosed) {
      // The client left, or the home stops, while $connect ran: as far as the functions know, it was there.
      this.#disconnected(caller, 1006, "");
      return refuse(socket, 503, "Service Unavailable");
    }
    this.#server.handleUpgrade(request, socket, head, (webSocket) => this.#accept(webSocket, socket, caller));
  }

  #accept(webSocket: WebSocket, socket: Duplex, caller: Caller): void {
    const { clock } = this.#options;
    const connection = new Connection(caller, webSocket, clock);
    this.connections.set(caller.connectionId, connection);
    let refused = false;
    const meter = new FrameMeter(socketLimits.frameBytes, () => {
      refused = true;
      webSocket.close(1009, "");
    });
    socket.prependListener("data", (chunk: Buffer) => {
      if (!refused) meter.take(chunk);
    });
    const intake = new Intake<{ data: Buffer; isBinary: boolean }>(
      ({ data, isBinary }) => this.#message(connection, data, isBinary),
      webSocket,
    );
    webSocket.on("message", (data, isBinary) => {
      if (refused) return;
      connection.touch();
      intake.take({ data: bytes(data), isBinary });
    });
    webSocket.on("ping", () => {
      connection.touch();
      // Each ping is answered by a pong that this client may never read.
      if (webSocket.bufferedAmount > 2 * heldBytes) webSocket.terminate();
    });
    webSocket.on("error", () => webSocket.terminate());
    webSocket.on("close", (code, reason) => {
      connection.end();
      this.connections.delete(caller.connectionId);
      this.#disconnected(caller, code, reason.toString());
    });
  }

  async #message(connection: Connection, data: Buffer, isBinary: boolean): Promise<void> {
    const { api, clock, meter } = this.#options;
    meter.count("websocket", "Message");
    const text = isBinary ? data.toString("base64") : data.toString("utf8");
    const routeKey = actionOf(text, api.routes) ?? "$default";
    const route = api.routes[routeKey];
    const { caller } = connection;
    const context = requestContext(caller, routeKey, "MESSAGE", clock.now());
    const outcome =
      route && (await this.#invoke(route.function, { requestContext: context, body: text, isBase64Encoded: isBinary }));
    if (outcome?.status === "success" && statusOf(outcome.result) < 400) return;
    const { connectionId } = caller;
    const failed = outcome?.status === "timeout" ? "Endpoint request timed out" : "Internal server error";
    const message = route ? failed : "Forbidden";
    await connection.post(Buffer.from(JSON.stringify({ message, connectionId, requestId: context.requestId })));
  }

  #disconnected(caller: Caller, code: number, reason: string): void {
    const { api, clock, faults } = this.#options;
    const route = api.routes["$disconnect"];
    if (!route || faults?.losesDisconnect()) return;
    const context = requestContext(caller, "$disconnect", "DISCONNECT", clock.now());
    void this.#invoke(route.function, {
      headers: { Host: "127.0.0.1", "x-api-key": "", "X-Forwarded-For": "", "x-restapi": "" },
      multiValueHeaders: { Host: ["127.0.0.1"], "x-api-key": [""], "X-Forwarded-For": [""], "x-restapi": [""] },
      requestContext: { ...context, disconnectStatusCode: code, disconnectReason: reason },
      isBase64Encoded: false,
    });
  }

  #invoke(name: string, event: unknown) {
    return this.#options.pools.get(name)?.invoke(event);
  }

  /** Ends all connections. Events under way go on, and each connection's last begins: whoever stops the functions waits for them. */
  async close(): Promise<void> {
    // First: a connection that is accepted while others end would stay.
    this.#isClosed = true;
    const closed = [...this.connections.values()].map(({ socket }) => {
      const gone = once(socket, "close");
      socket.terminate();
      return gone;
    });
    await Promise.all(closed);
    this.#server.close();
  }
}

/** The route selection expression SST sets: `$request.body.action`. */
function actionOf(text: string, routes: SocketApiNode["routes"]): string | undefined {
  if (!text.startsWith("{") || Object.keys(routes).every((key) => key.startsWith("$"))) return undefined;
  try {
    const { action } = JSON.parse(text);
    return typeof action === "string" && routes[action] ? action : undefined;
  } catch {
    return undefined; // not JSON: $default, as on AWS
  }
}

function identityOf(source: string, request: IncomingMessage, url: URL): boolean {
  const name = source.slice(source.lastIndexOf(".") + 1);
  if (source.startsWith("route.request.querystring.")) return Boolean(url.searchParams.get(name));
  return Boolean(request.headers[name.toLowerCase()]);
}
