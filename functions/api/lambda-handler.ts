import type { Hono } from "hono";
import { handle, type LambdaContext, type LambdaEvent } from "hono/aws-lambda";
import * as z from "zod";
import { ScoutsError } from "../../events/errors.ts";
import type { Log } from "../../shared/ports/log.ts";
import type { ApiEnvironment } from "./route.ts";

const httpEvent = z.object({
  rawPath: z.string(),
  rawQueryString: z.string(),
  headers: z.record(z.string(), z.string().optional()),
  body: z.string().nullish(),
  requestContext: z.object({ domainName: z.string(), http: z.object({ method: z.string() }) }),
});

/** What API Gateway is handed back; the headers as well. */
interface Result {
  readonly statusCode: number;
  readonly body: string;
  readonly isBase64Encoded: boolean;
}

/**
 * An app as a Lambda handler. What the Fetch standard makes no request of (a GET with a body, TRACE) is refused here in
 * the shape of every other error: the library would answer in its own words and write address and query to the log.
 */
export function lambdaHandler(
  app: Hono<ApiEnvironment>,
  log: Log,
): (event: LambdaEvent, context: LambdaContext) => Promise<Result> {
  const serve = handle(app);
  return async (event, context) => {
    if (isRequest(event)) return serve(event, context);
    const error = new ScoutsError("invalid_request", { data: { where: "request" } });
    const { code, data, kind } = error;
    const requestId = context.awsRequestId;
    log.error("request_failed", error, { requestId });
    const refused = {
      statusCode: kind.status,
      headers: { "content-type": "application/json", "cache-control": "no-store", "x-request-id": requestId },
      body: JSON.stringify({ error: { code, message: kind.sentence, data, requestId } }),
      isBase64Encoded: false,
    };
    return refused;
  };
}

function isRequest(event: unknown): boolean {
  try {
    const { rawPath, rawQueryString, headers, body, requestContext } = httpEvent.parse(event);
    const sent = new Headers();
    for (const [name, value] of Object.entries(headers)) {
      // Other alphabets are the library's to encode.
      if (value) sent.set(name, value.replace(/[^\0-\x7f]/g, "?"));
    }
    const { domainName, http } = requestContext;
    const init = { method: http.method, headers: sent, ...(body ? { body: "" } : {}) };
    return new Request(`https://${domainName}${rawPath}?${rawQueryString}`, init).method !== "";
  } catch {
    // What cannot be made a request is none.
    return false;
  }
}
