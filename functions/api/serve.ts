import { Hono } from "hono";
import { ScoutsError } from "../../events/errors.ts";
import { asScoutsError } from "../../shared/outcome/outcome.ts";
import type { Log } from "../../shared/ports/log.ts";
import { FoldersUnknown } from "../../shared/scouts/connectors/folders-unknown.ts";
import { OtherAccount } from "../../shared/scouts/connectors/other-account.ts";
import type { ApiContext, ApiEnvironment, DescribedRoute, Route } from "./route.ts";

/** Serves routes, with one error shape. The ports are made when the first route needs them. */
export function serveRoutes<P>(routes: readonly Route<P>[], ports: () => P, log: Log): Hono<ApiEnvironment> {
  const app = new Hono<ApiEnvironment>();
  app.use(async (c, next) => {
    c.header("x-request-id", c.env.lambdaContext.awsRequestId);
    c.header("x-content-type-options", "nosniff");
    c.header("cache-control", "no-store");
    await next();
  });
  for (const route of routes) app.on(route.method, honoPath(route), (c) => route.serve(c, ports));
  for (const [path, methods] of methodsByPath(routes)) app.all(path, (c) => answerOtherMethod(c, methods));
  app.notFound(() => {
    throw new ScoutsError("not_found");
  });
  app.onError((error, c) => answerError(c, error, log));
  return app;
}

function honoPath({ path }: DescribedRoute): string {
  return path.replace(/\{(\w+)\}/g, ":$1");
}

function methodsByPath(routes: readonly DescribedRoute[]): Map<string, string> {
  const grouped = Map.groupBy(routes, honoPath);
  return new Map(
    [...grouped].map(([path, own]) => {
      const methods = own.map(({ method }) => method);
      // HEAD is answered by GET's handler (RFC 9110 §9.3.2).
      return [path, [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ")];
    }),
  );
}

/** OPTIONS says what there is; every other method that is not there is refused the same way (RFC 9110 §15.5.6). */
function answerOtherMethod(c: ApiContext, methods: string): Response {
  c.header("allow", methods);
  if (c.req.method === "OPTIONS") return c.body(null, 204);
  throw new ScoutsError("method_not_allowed");
}

/** The one place where an error becomes an answer. What a handler throws is logged here and nowhere else. */
function answerError(c: ApiContext, error: Error, log: Log): Response {
  const { code, data, kind } = asScoutsError(error);
  const requestId = c.env.lambdaContext.awsRequestId;
  log.error("request_failed", error, { requestId });
  const wait = data["retryAfterMs"];
  if (typeof wait === "number") c.header("retry-after", String(Math.ceil(wait / 1000)));
  const body = { error: { code, message: kind.sentence, data, requestId }, ...forOwner(error) };
  return c.json(body, kind.status as 400);
}

/** What of an error is told in the answer alone, and never logged. */
function forOwner(error: Error) {
  if (error instanceof OtherAccount) return { accounts: error.accounts.reveal() };
  return error instanceof FoldersUnknown ? { folders: [...error.folders.reveal()] } : {};
}
