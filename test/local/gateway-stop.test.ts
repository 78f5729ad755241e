import { once } from "node:events";
import { createServer } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { Meter } from "../../infra/local/engines/meter.ts";
import { systemClock } from "../../infra/local/gateway/connections.ts";
import { SocketApi } from "../../infra/local/gateway/socket-api.ts";
import type { Outcome } from "../../infra/local/host/execution.ts";

/** A WebSocket API with these routes, and where it is reached. */
async function start(routes: string[], invoke: (name: string) => Promise<Outcome>) {
  const api = new SocketApi({
    api: {
      name: "Socket",
      url: "",
      managementEndpoint: "",
      executionArn: "arn:aws:execute-api:us-east-1:000000000000:socket",
      stage: {},
      authorizers: {},
      routes: Object.fromEntries(routes.map((route) => [route, { function: route }])),
    },
    pools: new Map(routes.map((route) => [route, { invoke: () => invoke(route) }])),
    meter: new Meter(),
    clock: systemClock,
    faults: undefined,
  });
  const server = createServer();
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  server.on("upgrade", (request, socket, head) => void api.upgrade(request, socket, head));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return { api, url: `ws://127.0.0.1:${typeof address === "object" ? address?.port : ""}` };
}

it("closes sockets while what came by them is still worked on: whoever stops a home waits for functions, and no longer than for any", async () => {
  const begun = Promise.withResolvers<void>();
  const work = Promise.withResolvers<Outcome>();
  const invoke = () => {
    begun.resolve();
    return work.promise;
  };
  const { api, url } = await start(["$default"], invoke);
  const device = new WebSocket(url);
  await once(device, "open");
  device.send("{}");
  await begun.promise;
  const gone = once(device, "close");
  await api.close();
  await gone;
  expect(api.connections.size).toBe(0);
  work.resolve({ status: "success", result: { statusCode: 500 } });
});

it("takes no connection that came while it was closing: a home that stops would wait for it for ever", async () => {
  const asked = Promise.withResolvers<void>();
  const late = Promise.withResolvers<Outcome>();
  const welcome: Outcome = { status: "success", result: { statusCode: 200 } };
  const answers = [Promise.resolve(welcome), late.promise];
  const { api, url } = await start(["$connect"], () => {
    if (answers.length === 1) asked.resolve();
    return answers.shift() ?? late.promise;
  });
  const early = new WebSocket(url);
  await once(early, "open");
  const device = new WebSocket(url);
  const refused = once(device, "unexpected-response");
  await asked.promise;
  const closed = api.close();
  late.resolve(welcome);
  await closed;
  expect(api.connections.size).toBe(0);
  await refused;
});
