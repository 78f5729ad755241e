import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { account } from "../components/names.ts";
import type { RouteMatch } from "./routes.ts";

/** API Gateway's form of a moment: `12/Mar/2020:19:03:58 +0000`. */
export function requestTime(epochMs: number): string {
  const [, day, month, year, time] = /^\w+, (\d+) (\w+) (\d+) ([\d:]+)/.exec(new Date(epochMs).toUTCString()) ?? [];
  return `${day}/${month}/${year}:${time} +0000`;
}

/** Bodies of these types reach the handler as text, all others as base64. */
const textual = /^(text\/|application\/(.+\+)?(json|xml)|application\/(javascript|x-www-form-urlencoded))/;

/** The event of a Lambda proxy integration, payload format 2.0 ("Create AWS Lambda proxy integrations for HTTP APIs"). */
export function httpEvent(
  request: IncomingMessage,
  url: URL,
  body: Buffer,
  match: RouteMatch,
  jwt: { claims: Record<string, string>; scopes: string[] | null } | undefined,
  nowMs: number,
) {
  const { cookie, ...rest } = request.headers;
  const headers = Object.fromEntries(
    Object.entries(rest).flatMap(([name, value]) => (value === undefined ? [] : [[name, [value].flat().join(",")]])),
  );
  const query: Record<string, string> = {};
  for (const [name, value] of url.searchParams)
    query[name] = query[name] === undefined ? value : `${query[name]},${value}`;
  const isText = body.length === 0 || textual.test(headers["content-type"] ?? "text/plain");
  const sourceIp = request.socket.remoteAddress ?? "127.0.0.1";
  return {
    version: "2.0",
    routeKey: match.route.route,
    rawPath: url.pathname,
    rawQueryString: url.search.slice(1),
    ...(cookie === undefined ? {} : { cookies: cookie.split("; ") }),
    headers: { ...headers, "x-forwarded-for": sourceIp, "x-forwarded-port": url.port, "x-forwarded-proto": "http" },
    ...(url.search === "" ? {} : { queryStringParameters: query }),
    requestContext: {
      accountId: account,
      apiId: "local",
      ...(jwt ? { authorizer: { jwt } } : {}),
      domainName: url.hostname,
      domainPrefix: "local",
      http: {
        method: request.method ?? "GET",
        path: url.pathname,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp,
        userAgent: headers["user-agent"] ?? "",
      },
      requestId: randomUUID(),
      routeKey: match.route.route,
      stage: "$default",
      time: requestTime(nowMs),
      timeEpoch: nowMs,
    },
    ...(Object.keys(match.pathParameters).length > 0 ? { pathParameters: match.pathParameters } : {}),
    ...(body.length === 0 ? {} : { body: isText ? body.toString("utf8") : body.toString("base64") }),
    isBase64Encoded: !isText,
  };
}

export interface HttpAnswer {
  status: number;
  headers: Record<string, string>;
  cookies: string[];
  body: string | Buffer;
}

const stringFields = (value: unknown): Record<string, string> =>
  typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, field]) => [name.toLowerCase(), String(field)]))
    : {};

/** What the client gets for what the handler returned: format 2.0, where anything without a status code is the body. */
export function httpAnswer(result: unknown): HttpAnswer {
  if (typeof result !== "object" || result === null || !("statusCode" in result)) {
    const body = typeof result === "string" ? result : JSON.stringify(result);
    return { status: 200, headers: { "content-type": "application/json" }, cookies: [], body };
  }
  const text = "body" in result && result.body !== undefined && result.body !== null ? String(result.body) : "";
  const encoded = "isBase64Encoded" in result && result.isBase64Encoded === true;
  return {
    status: Number(result.statusCode),
    headers: {
      "content-type": "text/plain; charset=utf-8",
      ...stringFields("headers" in result ? result.headers : {}),
    },
    cookies: "cookies" in result && Array.isArray(result.cookies) ? result.cookies.map(String) : [],
    body: encoded ? Buffer.from(text, "base64") : text,
  };
}
