import { once } from "node:events";
import { createServer } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { Meter } from "../../infra/local/engines/meter.ts";
import { systemClock } from "../../infra/local/gateway/connections.ts";
import { SocketApi } from "../../infra/local/gateway/socket-api.ts";
import type { Outcome } from "../../infra/local/host/execution.ts";

it("closes sockets while what came by them is still worked on: whoever stops a home waits for functions, and no longer than for any", async () => {
  const begun = Promise.withResolvers<void>();
  const work = Promise.withResolvers<Outcome>();
  const invoke = () => {
    begun.resolve();
    return work.promise;
  };
  const api = new SocketApi({
    api: {
      name: "Socket",
      url: "",
      managementEndpoint: "",
      executionArn: "arn:aws:execute-api:us-east-1:000000000000:socket",
      stage: {},
      authorizers: {},
      routes: { $default: { function: "Message" } },
    },
    pools: new Map([["Message", { invoke }]]),
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
  const device = new WebSocket(`ws://127.0.0.1:${typeof address === "object" ? address?.port : ""}`);
  await once(device, "open");
  device.send("{}");
  await begun.promise;
  const gone = once(device, "close");
  await api.close();
  await gone;
  expect(api.connections.size).toBe(0);
  work.resolve({ status: "success", result: { statusCode: 500 } });
});
