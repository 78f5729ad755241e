import { EventEmitter, once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import dynalite from "dynalite";
import { refuseForeignRequests } from "../../standins/own-requests.ts";
import { privateFolder } from "../../standins/private-folder.ts";
import { account, region } from "../components/names.ts";
import type { Graph } from "../graph.ts";
import { requestBody } from "../request-body.ts";
import { hastenExpressions } from "./quick-expressions.ts";
import { hasten, storeOf } from "./quick-store.ts";
import type { Refusal, RequestAuthorizer } from "./request-authorizer.ts";
import { forgetDeleted, prepareTables } from "./table-store.ts";

export interface TableEngine {
  endpoint: string;
  close(): Promise<void>;
}

/** Starts DynamoDB (dynalite) on 127.0.0.1, any free port, with the graph's tables in the store at `path`. */
export async function startTables(path: string, graph: Graph, door: RequestAuthorizer): Promise<TableEngine> {
  privateFolder(path);
  await prepareTables(path, graph, Date.now());
  const { server, store } = storeOf(() => dynalite({ path }));
  await hasten(store);
  hastenExpressions();
  guard(server, door);
  refuseForeignRequests(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const endpoint = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  return {
    endpoint,
    async close() {
      await close(server);
      await forgetDeleted(path);
    },
  };
}

function close(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
    server.closeAllConnections();
  });
}

/** The longest request there is: a batch of writes (DynamoDB API reference, BatchWriteItem). */
const mostBytes = 16 * 1024 * 1024;

/** Puts the door in front of the engine's own request listener. */
function guard(server: Server, door: RequestAuthorizer): void {
  const engine = server.listeners("request");
  server.removeAllListeners("request");
  server.on("request", async (request: IncomingMessage, response: ServerResponse) => {
    const refuse = (status: number, { code, message }: { code: string; message: string }) =>
      response
        .writeHead(status, { "content-type": "application/x-amz-json-1.0" })
        .end(JSON.stringify({ __type: `com.amazon.coral.service#${code}`, message }));
    const principal = door.identify(request.headers, request.url);
    // Whoever has no key is told so before anything of theirs is taken in.
    const body = principal === undefined ? Buffer.alloc(0) : await requestBody(request, mostBytes);
    if (body === undefined) {
      refuse(413, { code: "RequestEntityTooLarge", message: "The request is too large." });
      return;
    }
    const operation = operationOf(request);
    const asked = operation === undefined ? undefined : needs(operation, body);
    const refusal =
      operation === undefined || (principal && asked === undefined)
        ? unknown
        : door.admit(principal, { service: "dynamodb", operation, needs: asked ?? [] });
    if (refusal) {
      refuse(400, refusal);
      return;
    }
    // The engine hears of the body by two events and looks at these three properties only.
    const { method, url } = request;
    // It would share its answers with every page that says where it comes from.
    const { origin: _, ...headers } = request.headers;
    const replay = Object.assign(new EventEmitter(), { headers, method, url });
    for (const listener of engine) listener.call(server, replay, response);
    if (body.length > 0) replay.emit("data", body);
    replay.emit("end");
  });
}

const table = (name: string) => `arn:aws:dynamodb:${region}:${account}:table/${name}`;

/** The operations that functions and operators use; the engine knows more, with which tables are made and dropped. */
const onOneTable = new Set(["GetItem", "PutItem", "UpdateItem", "DeleteItem", "Query", "Scan", "DescribeTable"]);
const onSeveralTables = new Set(["BatchGetItem", "BatchWriteItem"]);

const unknown: Refusal = { code: "AccessDeniedException", message: "There is no such operation here." };

function operationOf({ method, url, headers }: IncomingMessage): string | undefined {
  const operation = /^DynamoDB_20120810\.(\w+)$/.exec(String(headers["x-amz-target"]))?.[1] ?? "";
  const known = onOneTable.has(operation) || onSeveralTables.has(operation);
  const plain = method === "POST" && url === "/" && headers["content-type"] === "application/x-amz-json-1.0";
  return known && plain ? operation : undefined;
}

/**
 * The tables and indexes a request touches, each with its action (DynamoDB service authorization reference); undefined
 * when it does not say which.
 */
function needs(operation: string, body: Buffer): { action: string; resource: string }[] | undefined {
  const action = `dynamodb:${operation}`;
  const input: unknown = parse(body);
  if (typeof input !== "object" || input === null) return undefined;
  if (onSeveralTables.has(operation)) {
    const items: unknown = "RequestItems" in input ? input.RequestItems : undefined;
    if (typeof items !== "object" || items === null) return undefined;
    return Object.keys(items).map((name) => ({ action, resource: table(name) }));
  }
  if (!("TableName" in input) || typeof input.TableName !== "string") return undefined;
  const name = table(input.TableName);
  if (!("IndexName" in input)) return [{ action, resource: name }];
  return typeof input.IndexName === "string" ? [{ action, resource: `${name}/index/${input.IndexName}` }] : undefined;
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined; // the engine answers with SerializationException
  }
}
