import { once } from "node:events";
import { connect, createServer } from "node:net";

/** What packages of servers add to the path of whoever administers a machine. */
export const withServers = { ...process.env, PATH: `${process.env["PATH"]}:/usr/sbin:/usr/lib/cyrus/bin` };

export async function freePorts(): Promise<[number, number]> {
  const servers = [createServer(), createServer()];
  const ports: number[] = [];
  for (const server of servers) {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (typeof address === "object" && address) ports.push(address.port);
  }
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  const [first = 0, second = 0] = ports;
  return [first, second];
}

/** Waits for the greeting of a server that has just been started. @throws Error when it ends first */
export async function greeted(port: number, ended: Promise<unknown>): Promise<void> {
  let over = false;
  ended.then(() => {
    over = true;
  });
  for (;;) {
    if (over) throw new Error("The mail server ended at once; its log says why");
    const socket = connect(port, "127.0.0.1");
    const answered = await new Promise<boolean>((resolve) => {
      socket.once("data", () => resolve(true));
      socket.once("error", () => resolve(false));
      socket.once("close", () => resolve(false));
    });
    socket.destroy();
    if (answered) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
