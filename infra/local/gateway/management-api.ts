import type { IncomingMessage, ServerResponse } from "node:http";
import type { RequestAuthorizer } from "../engines/request-authorizer.ts";
import type { FaultInjector } from "../faults.ts";
import type { SocketApiNode } from "../graph.ts";
import { requestBody } from "../request-body.ts";
import { socketLimits } from "./connections.ts";
import type { SocketApi } from "./socket-api.ts";

const operations: Record<string, string> = {
  POST: "PostToConnection",
  GET: "GetConnection",
  DELETE: "DeleteConnection",
};

/** Path of the `@connections` commands below the stage; the id may be percent-encoded (`=` is). */
export const managementPath = /^\/socket\/(?:@|%40)connections\/([^/?]+)$/;

/** `POST`, `GET` and `DELETE /@connections/{id}` ("Use @connections commands in your backend service"). */
export function managementApi(
  node: SocketApiNode,
  api: SocketApi,
  door: RequestAuthorizer,
  faults: FaultInjector | undefined,
) {
  return async (request: IncomingMessage, response: ServerResponse, encodedId: string): Promise<void> => {
    const answer = (status: number, body?: unknown, errorType?: string) => {
      response.writeHead(status, {
        "content-type": "application/json",
        ...(errorType === undefined ? {} : { "x-amzn-errortype": errorType }),
      });
      response.end(body === undefined ? undefined : JSON.stringify(body));
    };
    const method = request.method ?? "";
    const operation = operations[method];
    const connectionId = decodeURIComponent(encodedId);
    const principal = door.identify(request.headers, request.url);
    const body = principal && (await requestBody(request, socketLimits.messageBytes));
    if (!operation) return answer(403, { message: "Missing Authentication Token" }, "ForbiddenException");
    const refusal = door.admit(principal, {
      service: "websocket",
      operation,
      needs: [
        {
          action: "execute-api:ManageConnections",
          resource: `${node.executionArn}/$default/${method}/@connections/${connectionId}`,
        },
      ],
    });
    if (refusal?.code === "ThrottlingException") return answer(429, { message: null }, "LimitExceededException");
    if (refusal) return answer(403, { message: refusal.message }, "ForbiddenException");
    const connection = api.connections.get(connectionId);
    // On AWS a connection that was said to be gone is gone: it is cut, and like a cut cable nobody closes it properly.
    if (connection && faults?.postIsGone()) connection.socket.terminate();
    if (!connection || connection.socket.readyState !== connection.socket.OPEN) {
      return answer(410, undefined, "GoneException");
    }
    if (method === "DELETE") {
      connection.socket.close(1000, "");
      return answer(204);
    }
    const { caller, lastActiveAtMs } = connection;
    if (method === "GET") {
      return answer(200, {
        connectedAt: new Date(caller.connectedAtMs).toISOString(),
        identity: { sourceIp: caller.sourceIp, userAgent: caller.userAgent },
        lastActiveAt: new Date(lastActiveAtMs).toISOString(),
      });
    }
    if (body === undefined) return answer(413, { message: null }, "PayloadTooLargeException");
    switch (await connection.post(body)) {
      case "sent":
        return answer(200);
      case "gone":
        return answer(410, undefined, "GoneException");
      case "full":
        // "… or the WebSocket client side buffer is full" (API reference of PostToConnection).
        return answer(429, { message: null }, "LimitExceededException");
    }
  };
}
