import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { refuseForeignRequests } from "../../standins/own-requests.ts";
import { LocalHomeError } from "../errors.ts";

export interface GatewayHandlers {
  request(request: IncomingMessage, response: ServerResponse): Promise<void>;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>;
}

export interface GatewayServer {
  port: number;
  /** Sets who answers. While nobody does, requests are answered 503. */
  serve(handlers: GatewayHandlers | undefined): void;
  close(): Promise<void>;
}

/**
 * Takes the port of the gateway, so that its address is known before anything is built on it.
 *
 * @throws LocalHomeError `EADDRINUSE`, which names the port.
 */
export async function listen(port: number): Promise<GatewayServer> {
  let handlers: GatewayHandlers | undefined;
  const server = createServer((request, response) => {
    const unavailable = (status: number) => {
      if (!response.headersSent) response.writeHead(status, { "content-type": "application/json" });
      response.end('{"message":"Internal Server Error"}');
    };
    if (handlers) handlers.request(request, response).catch(() => unavailable(500));
    else unavailable(503);
  });
  server.on("upgrade", (request, socket, head) => {
    if (handlers) handlers.upgrade(request, socket, head).catch(() => socket.destroy());
    else socket.destroy();
  });
  refuseForeignRequests(server);
  server.listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") {
      throw new LocalHomeError("EADDRINUSE", portTaken(port), { cause: error });
    }
    throw error;
  }
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : port,
    serve(next) {
      handlers = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const portTaken = (port: number): string =>
  `Port ${port} on 127.0.0.1 is taken by another program. End that program, or give another with --port; without --port any free one is taken.`;
