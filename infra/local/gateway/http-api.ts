import type { IncomingMessage, ServerResponse } from "node:http";
import { readBody } from "../../standins/read-body.ts";
import type { HttpApiNode } from "../graph.ts";
import type { Pools } from "../host/pools.ts";
import { type HttpAnswer, httpAnswer, httpEvent } from "./http-event.ts";
import { jwtAuthorizer } from "./jwt.ts";
import { routeTable } from "./routes.ts";

/** Quotas of HTTP APIs: payload 10 MB, integration timeout 30 s ("Quotas for configuring and running an HTTP API"). */
const payloadLimitBytes = 10_000_000;
const integrationTimeoutMs = 30_000;

const message = (status: number, text: string): HttpAnswer => ({
  status,
  headers: { "content-type": "application/json" },
  cookies: [],
  body: JSON.stringify({ message: text }),
});

/** Serves an HTTP API: route, authorize, invoke, answer. `issuers` are those that are not asked at their names. */
export function httpApi(api: HttpApiNode, pools: Pools, issuers: Readonly<Record<string, string>> = {}) {
  const find = routeTable(api.routes);
  const authorizers = new Map(
    Object.entries(api.authorizers).map(([name, authorizer]) => [
      name,
      jwtAuthorizer(authorizer, issuers[authorizer.issuer]),
    ]),
  );

  async function answer(request: IncomingMessage): Promise<HttpAnswer> {
    const url = new URL(request.url ?? "/", api.url);
    const match = find(request.method ?? "GET", url.pathname);
    if (!match) return message(404, "Not Found");
    const { jwt } = match.route;
    const decision = jwt && (await authorizers.get(jwt.authorizer)?.(request.headers.authorization, jwt.scopes));
    if (jwt && !decision?.allowed) {
      return decision?.status === 403 ? message(403, "Forbidden") : message(401, "Unauthorized");
    }
    const body = await readBody(request, payloadLimitBytes);
    if (!body) return message(413, "Request Entity Too Large");
    const granted = decision?.allowed ? { claims: decision.claims, scopes: decision.scopes } : undefined;
    const event = httpEvent(request, url, body, match, granted, Date.now());
    const outcome = await withinLimit(pools.get(match.route.function)?.invoke(event));
    if (!outcome) return message(503, "Service Unavailable");
    if (outcome.status !== "success") return message(500, "Internal Server Error");
    return httpAnswer(outcome.result);
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { status, headers, cookies, body } = await answer(request);
    const bodiless = status === 204 || status === 304;
    response.writeHead(status, {
      ...headers,
      ...(cookies.length > 0 ? { "set-cookie": cookies } : {}),
      ...(bodiless ? {} : { "content-length": Buffer.byteLength(body) }),
    });
    response.end(bodiless ? undefined : body);
  };
}

async function withinLimit<T>(work: Promise<T> | undefined): Promise<T | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), integrationTimeoutMs);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
