import { once } from "node:events";
import { mkdirSync } from "node:fs";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import dynalite from "dynalite";
import { account, region } from "../components/names.ts";
import type { Graph } from "../graph.ts";
import type { FrontDoor } from "./door.ts";
import { forgetDeleted, prepareTables } from "./table-store.ts";

export interface TableEngine {
  endpoint: string;
  close(): Promise<void>;
}

/** Starts DynamoDB (dynalite) on 127.0.0.1, any free port, with the graph's tables in the store at `path`. */
export async function startTables(path: string, graph: Graph, door: FrontDoor): Promise<TableEngine> {
  mkdirSync(path, { recursive: true });
  await prepareTables(path, graph, Date.now());
  const server = dynalite({ path });
  guard(server, door);
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

/** Puts the door in front of the engine's own request listener. */
function guard(server: Server, door: FrontDoor): void {
  const engine = server.listeners("request");
  server.removeAllListeners("request");
  server.on("request", async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request);
    const operation = String(request.headers["x-amz-target"] ?? "").replace(/^.*\./, "");
    const refusal = door.admit(door.identify(request.headers, request.url), {
      service: "dynamodb",
      operation,
      needs: needs(operation, body),
    });
    if (refusal) {
      const answer = JSON.stringify({ __type: `com.amazon.coral.service#${refusal.code}`, message: refusal.message });
      response.writeHead(400, { "content-type": "application/x-amz-json-1.0" }).end(answer);
      return;
    }
    // The engine reads the body as a stream and looks at these three properties only.
    const { headers, method, url } = request;
    const replay = Object.assign(Readable.from([body]), { headers, method, url });
    for (const listener of engine) listener.call(server, replay, response);
  });
}

const table = (name: unknown) => `arn:aws:dynamodb:${region}:${account}:table/${String(name)}`;

/** The tables and indexes a request touches, each with its action (DynamoDB service authorization reference). */
function needs(operation: string, body: Buffer): { action: string; resource: string }[] {
  const action = `dynamodb:${operation}`;
  const input: unknown = parse(body);
  if (typeof input !== "object" || input === null) return [{ action, resource: "*" }];
  if ("RequestItems" in input && typeof input.RequestItems === "object" && input.RequestItems !== null) {
    return Object.keys(input.RequestItems).map((name) => ({ action, resource: table(name) }));
  }
  const name = "TableName" in input ? table(input.TableName) : "*";
  return [{ action, resource: "IndexName" in input ? `${name}/index/${String(input.IndexName)}` : name }];
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined; // the engine answers with SerializationException
  }
}
