import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** What becomes of connections while a fault is armed. */
export type WireFault =
  | { readonly kind: "refused" }
  /** Cut after so many bytes from the server. */
  | { readonly kind: "cut"; readonly afterBytes: number }
  /** Nothing comes through any more. */
  | { readonly kind: "silent" }
  /** The server's offer to encrypt is taken out of its answers. */
  | { readonly kind: "stripped" }
  /** The server's greeting is replaced, and the connection ends. */
  | { readonly kind: "greets"; readonly line: string };

export interface WireProxy {
  readonly port: number;
  /** Holds for new connections, and ends those that are open. @returns what takes it back */
  arm(fault: WireFault): () => void;
  /** Connections there were. */
  connections(): number;
  /** Bytes a server has sent on the connection that sent most. */
  mostBytes(): number;
  close(): Promise<void>;
}

/** Stands between a client and a server on 127.0.0.1 and breaks what is between them. */
export async function startProxy(target: number): Promise<WireProxy> {
  let fault: WireFault | undefined;
  let count = 0;
  let most = 0;
  const open = new Set<Socket>();
  const server = createServer({ noDelay: true }, (client) => {
    count += 1;
    open.add(client.on("error", () => {}).on("close", () => open.delete(client)));
    if (fault?.kind === "refused") return void client.destroy();
    if (fault?.kind === "silent") return;
    if (fault?.kind === "greets") return void client.end(`${fault.line}\r\n`);
    let left = fault?.kind === "cut" ? fault.afterBytes : Number.POSITIVE_INFINITY;
    let sent = 0;
    const upstream = connect({ port: target, host: "127.0.0.1", noDelay: true });
    open.add(upstream.on("error", () => client.destroy()).on("close", () => open.delete(upstream)));
    client.pipe(upstream);
    client.on("close", () => upstream.destroy());
    upstream.on("data", (chunk: Buffer) => {
      const said =
        fault?.kind === "stripped" ? Buffer.from(chunk.toString("latin1").replaceAll("STARTTLS", "X")) : chunk;
      const some = said.subarray(0, Math.max(0, left));
      left -= some.length;
      sent += some.length;
      most = Math.max(most, sent);
      client.write(some);
      if (left <= 0) client.destroySoon();
    });
    upstream.on("end", () => client.end());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : 0,
    arm(next) {
      fault = next;
      for (const socket of open) socket.destroy();
      return () => {
        fault = undefined;
        for (const socket of open) socket.destroy();
      };
    },
    connections: () => count,
    mostBytes: () => most,
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
