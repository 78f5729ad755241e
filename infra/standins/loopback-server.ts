import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { refuseForeignRequests } from "./own-requests.ts";
import { readBody } from "./read-body.ts";
import { reportFailure } from "./report-failure.ts";
import { StandInError } from "./stand-in-error.ts";

export interface HttpRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Wait this long before answering. */
  readonly delayMs?: number;
  /** Announce the whole body, send half of it and cut the connection. */
  readonly truncated?: boolean;
}

export interface LoopbackServer {
  /** `http://127.0.0.1:<port>`, no slash at the end. */
  readonly url: string;
  /** Cuts all connections; resolves when no handler is at work any more. */
  close(): Promise<void>;
}

export interface LoopbackServerOptions {
  /** 0 (default) takes any free port. */
  readonly port?: number;
  /** Larger bodies are answered 413. Gmail's own bound for a message is 35 MB. */
  readonly maxBodyBytes?: number;
}

/**
 * An HTTP server on 127.0.0.1, for programs and pages of its own address only (own-requests.ts). A handler that throws is
 * answered 500, and the error's class goes to stderr.
 * Throws {@link StandInError} `port_taken`.
 */
export async function serveLoopback(
  handle: (request: HttpRequest) => HttpAnswer | Promise<HttpAnswer>,
  options: LoopbackServerOptions = {},
): Promise<LoopbackServer> {
  const closing = new AbortController();
  const underWay = new Set<Promise<void>>();
  const maxBodyBytes = options.maxBodyBytes ?? 36 * 1024 * 1024;

  const server = createServer((incoming, response) => {
    const work = respond(incoming, response).catch((error: unknown) => {
      // A caller that was killed or gave up half way is no failure of ours.
      if (closing.signal.aborted || !incoming.complete) return;
      reportFailure("a request failed", error);
      if (!response.headersSent) response.writeHead(500, { "content-type": "application/json" });
      response.end('{"error":{"code":500,"message":"Internal error","status":"INTERNAL"}}');
    });
    underWay.add(work);
    work.finally(() => underWay.delete(work));
  });
  refuseForeignRequests(server);

  async function respond(incoming: IncomingMessage, response: ServerResponse) {
    const body = await readBody(incoming, maxBodyBytes);
    if (body === undefined) {
      response.writeHead(413, { connection: "close" }).end();
      return;
    }
    const answer = await handle({
      method: incoming.method ?? "GET",
      url: new URL(incoming.url ?? "/", "http://127.0.0.1"),
      headers: incoming.headers,
      body,
    });
    if (answer.delayMs) await pause(answer.delayMs, closing.signal);
    send(response, answer);
  }

  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(
        error.code === "EADDRINUSE"
          ? new StandInError("port_taken", `Port ${options.port} on 127.0.0.1 is taken.`, error)
          : error,
      ),
    );
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("an IP server has a port");

  return {
    url: `http://127.0.0.1:${address.port}`,
    close: async () => {
      closing.abort();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await Promise.all(underWay);
      await closed;
    },
  };
}

/** An answer with a JSON body. */
export function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): HttpAnswer {
  return {
    status,
    headers: { "content-type": "application/json; charset=UTF-8", ...headers },
    body: JSON.stringify(body),
  };
}

function pause(delayMs: number, cut: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, delayMs);
    cut.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function send(response: ServerResponse, answer: HttpAnswer): void {
  const body = Buffer.from(answer.body ?? "");
  const bodiless = answer.status === 204 || answer.status === 304;
  response.writeHead(answer.status, {
    ...answer.headers,
    ...(bodiless ? {} : { "content-length": String(body.length) }),
  });
  if (!answer.truncated) {
    response.end(bodiless ? undefined : body);
    return;
  }
  response.write(body.subarray(0, body.length >> 1), () => response.destroy());
}
