import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { requestTime } from "./http-event.ts";

/** Ids as API Gateway makes them: short, base64. */
export const gatewayId = () => randomBytes(11).toString("base64");

export interface Caller {
  connectionId: string;
  connectedAtMs: number;
  sourceIp: string;
  userAgent: string;
  /** What the authorizer said about the caller; part of every event of the connection. */
  authorizer: Record<string, unknown> | undefined;
}

/** The part every event of a WebSocket API has in common. */
export function requestContext(
  caller: Caller,
  routeKey: string,
  eventType: "CONNECT" | "MESSAGE" | "DISCONNECT",
  nowMs: number,
) {
  const requestId = gatewayId();
  return {
    routeKey,
    ...(caller.authorizer === undefined ? {} : { authorizer: caller.authorizer }),
    messageId: eventType === "MESSAGE" ? gatewayId() : null,
    eventType,
    extendedRequestId: requestId,
    requestTime: requestTime(nowMs),
    messageDirection: "IN",
    stage: "$default",
    connectedAt: caller.connectedAtMs,
    requestTimeEpoch: nowMs,
    identity: { userAgent: caller.userAgent, sourceIp: caller.sourceIp },
    requestId,
    domainName: "127.0.0.1",
    connectionId: caller.connectionId,
    apiId: "local",
  };
}

/** Headers and query of the upgrade request, in both of the forms API Gateway gives them. */
export function upgradeFields(request: IncomingMessage, url: URL) {
  const multiValueHeaders: Record<string, string[]> = {};
  for (let index = 0; index + 1 < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index] ?? "";
    multiValueHeaders[name] = [...(multiValueHeaders[name] ?? []), request.rawHeaders[index + 1] ?? ""];
  }
  const multiValueQueryStringParameters: Record<string, string[]> = {};
  for (const [name, value] of url.searchParams) {
    multiValueQueryStringParameters[name] = [...(multiValueQueryStringParameters[name] ?? []), value];
  }
  const last = (fields: Record<string, string[]>) =>
    Object.fromEntries(Object.entries(fields).map(([name, values]) => [name, values.at(-1) ?? ""]));
  return {
    headers: last(multiValueHeaders),
    multiValueHeaders,
    ...(url.search === ""
      ? {}
      : { queryStringParameters: last(multiValueQueryStringParameters), multiValueQueryStringParameters }),
  };
}
