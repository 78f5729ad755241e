import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { refuseForeignRequests } from "../../standins/own-requests.ts";
import { arn } from "../components/names.ts";
import type { Pools } from "../host/pools.ts";
import { requestBody } from "../request-body.ts";
import type { RequestAuthorizer } from "./request-authorizer.ts";

export interface LambdaFront {
  endpoint: string;
  /** The functions that can be called, once there are any: each needs this front's address to start. */
  serve(pools: Pools): void;
  close(): Promise<void>;
}

/** AWS takes 6 MB for a call that is waited for (Lambda quotas, "Invocation payload"). */
const maxPayloadBytes = 6 * 1024 * 1024;

/**
 * Lambda's `Invoke`, waited for: one function calls another. The only operation there is; what AWS answers when the
 * called function fails is answered here too, without its words.
 */
export async function startLambdaFront(door: RequestAuthorizer): Promise<LambdaFront> {
  let pools: Pools = new Map();
  const server = createServer(async (request, response) => {
    const reply = (status: number, headers: Record<string, string>, body: string) =>
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
    const name = functionOf(request);
    const principal = door.identify(request.headers, request.url);
    const payload = principal && (await requestBody(request, maxPayloadBytes));
    const need = { action: "lambda:InvokeFunction", resource: arn("lambda", `function:${name}`) };
    const refusal = door.admit(principal, {
      service: "lambda",
      operation: "Invoke",
      needs: name === undefined ? [] : [need],
    });
    if (refusal) return reply(403, { "x-amzn-errortype": refusal.code }, JSON.stringify({ Message: refusal.message }));
    if (payload === undefined) return reply(413, { "x-amzn-errortype": "RequestTooLargeException" }, "{}");
    const pool = [...pools.values()].find(({ node }) => node.functionName === name);
    if (!pool) return reply(404, { "x-amzn-errortype": "ResourceNotFoundException" }, "{}");
    const event = parsed(payload.toString() || "null");
    if (event === undefined) return reply(400, { "x-amzn-errortype": "InvalidRequestContentException" }, "{}");
    const outcome = await pool.invoke(event);
    if (outcome.status === "success") return reply(200, {}, JSON.stringify(outcome.result ?? null));
    return reply(200, { "x-amz-function-error": "Unhandled" }, JSON.stringify({ errorType: outcome.error.errorType }));
  });
  refuseForeignRequests(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    endpoint: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
    serve(there) {
      pools = there;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Names hold nothing that a path would have to encode. */
function functionOf({ method, url }: IncomingMessage): string | undefined {
  const name = /^\/2015-03-31\/functions\/([\w-]+)\/invocations$/.exec(url?.split("?")[0] ?? "")?.[1];
  return method === "POST" ? name : undefined;
}

function parsed(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    // Said by the status: no JSON is ever `undefined`.
    return undefined;
  }
}
