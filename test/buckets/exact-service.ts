import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { bytes } from "../files/expect-code.ts";
import { MemoryObjectStorage } from "../files/memory-object-storage.ts";

/** What the service does instead of answering. `cut`: it takes the request, and the connection breaks off in the answer. */
export type Fault =
  | { readonly status: number; readonly body?: string; readonly headers?: Record<string, string> }
  | "cut"
  | "cut_after_storing";

/** S3's protocol with its conditions, which the embedded engine does not know, and with faults. */
export interface ExactService {
  readonly endpoint: string;
  readonly objects: MemoryObjectStorage;
  /** Method and key or prefix of every request, in order. */
  readonly requests: string[];
  /** Asked for each request: what goes wrong with it. */
  fault: (request: {
    readonly method: string;
    readonly key: string;
    readonly isList: boolean;
  }) => Fault | undefined | Promise<undefined>;
  address(options?: string): string;
}

export const refusal = (status: number, code: string, headers: Record<string, string> = {}, more = ""): Fault => ({
  status,
  headers,
  body: `<?xml version="1.0"?><Error><Code>${code}</Code><Message>m</Message>${more}</Error>`,
});

export async function startService(tree: Readonly<Record<string, string>> = {}): Promise<ExactService> {
  const objects = new MemoryObjectStorage();
  for (const [path, content] of Object.entries(tree))
    await objects.put(`docs/${path}`, bytes(content), { mode: 0o644 });
  const requests: string[] = [];
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const service: ExactService = {
    endpoint,
    objects,
    requests,
    fault: () => undefined,
    address: (options = "") => `s3://garden/docs?endpoint=${endpoint}${options}`,
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "", endpoint);
    const isList = url.searchParams.has("list-type");
    const key = isList
      ? (url.searchParams.get("prefix") ?? "")
      : decodeURIComponent(url.pathname.slice("/garden/".length));
    const method = request.method ?? "";
    requests.push(`${isList ? "LIST" : method} ${key}`);
    const body = await buffer(request);
    const fault = await service.fault({ method, key, isList });
    if (typeof fault === "object") return void response.writeHead(fault.status, fault.headers).end(fault.body);
    if (fault === "cut_after_storing") await store(method, key, body, request);
    if (fault === "cut_after_storing") return void request.socket.destroy();
    const found = isList ? await listed(url.searchParams) : await store(method, key, body, request);
    response.writeHead(found.status, found.headers);
    if (fault !== "cut") return void response.end(found.body);
    response.write(Buffer.from(found.body ?? "").subarray(0, 3));
    response.socket?.end(() => request.socket.destroy());
  }

  async function store(method: string, key: string, body: Uint8Array, { headers }: IncomingMessage): Promise<Answer> {
    const ifMatch = headers["if-match"];
    const before = await objects.get(key);
    if (method === "PUT") {
      const ifNoneMatch = headers["if-none-match"] === "*" ? ({ ifNoneMatch: "*" } as const) : {};
      const etag = await objects.put(key, body, { mode: 0o644, ...(ifMatch && { ifMatch }), ...ifNoneMatch });
      return etag === undefined ? { status: 412 } : { status: 200, headers: { etag } };
    }
    if (before === undefined) return { status: 404, body: "<Error><Code>NoSuchKey</Code></Error>" };
    if (method === "DELETE") return { status: (await objects.delete(key, ifMatch)) ? 204 : 412 };
    const told = { etag: before.etag, "last-modified": new Date(before.modifiedMs).toUTCString() };
    const sized = { ...told, "content-length": String(before.sizeBytes) };
    return { status: 200, headers: sized, ...(method === "GET" && { body: before.bytes }) };
  }

  /** ListObjectsV2, Amazon S3 API Reference; at most a thousand keys a page. */
  async function listed(query: URLSearchParams): Promise<Answer> {
    const most = Math.min(1_000, Number(query.get("max-keys") ?? 1_000));
    const from = Number(query.get("continuation-token") ?? 0);
    const all = [];
    for await (const each of objects.list(query.get("prefix") ?? "", Number.POSITIVE_INFINITY)) all.push(each);
    const page = all.slice(from, from + most).map((each) => {
      const name = encodeURIComponent(each.key);
      if (each.kind === "prefix") return `<CommonPrefixes><Prefix>${name}</Prefix></CommonPrefixes>`;
      const at = new Date(each.modifiedMs).toISOString();
      const facts = `<ETag>${each.etag}</ETag><Size>${each.sizeBytes}</Size><LastModified>${at}</LastModified>`;
      return `<Contents><Key>${name}</Key>${facts}</Contents>`;
    });
    const next = from + most;
    const more = next < all.length ? `<NextContinuationToken>${next}</NextContinuationToken>` : "";
    const body = `<ListBucketResult><Name>garden</Name><EncodingType>url</EncodingType>${more}${page.join("")}</ListBucketResult>`;
    return { status: 200, headers: { "content-type": "application/xml" }, body };
  }

  return service;
}

interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array;
}
