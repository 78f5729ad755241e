import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A TCP relay that can cut its connections like a cable: whatever is on its way in either direction is lost. */
export interface CuttingProxy {
  /** The same address as it is reached through the proxy. */
  through(address: string): string;
  /** Cuts the n-th open connection, counted around; false when there is none. */
  cut(n: number): boolean;
  readonly open: number;
  close(): Promise<void>;
}

/** @param target address of a server on this machine */
export async function startCuttingProxy(target: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target);
  const pairs = new Set<readonly [Socket, Socket]>();
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    const pair = [client, upstream] as const;
    pairs.add(pair);
    for (const socket of pair) {
      socket.on("error", () => {});
      socket.on("close", () => {
        pairs.delete(pair);
        client.destroy();
        upstream.destroy();
      });
    }
    // The server answers to its own name only, as every home on this machine does.
    client.once("data", (head: Buffer) => {
      upstream.write(head.toString("latin1").replace(`:${own}\r\n`, `:${port}\r\n`), "latin1");
      client.pipe(upstream);
    });
    upstream.pipe(client);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const own = typeof address === "object" && address ? address.port : 0;
  return {
    through(other) {
      const url = new URL(other);
      url.port = String(own);
      return url.href;
    },
    cut(n) {
      const pair = [...pairs][n % Math.max(1, pairs.size)];
      for (const socket of pair ?? []) socket.resetAndDestroy();
      return pair !== undefined;
    },
    get open() {
      return pairs.size;
    },
    async close() {
      for (const pair of pairs) for (const socket of pair) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
