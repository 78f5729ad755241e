import type { Meter } from "../engines/meter.ts";
import type { RequestAuthorizer } from "../engines/request-authorizer.ts";
import { LocalHomeError } from "../errors.ts";
import type { FaultInjector } from "../faults.ts";
import type { Graph } from "../graph.ts";
import type { Pools } from "../host/pools.ts";
import type { Clock } from "./connections.ts";
import { httpApi } from "./http-api.ts";
import { managementApi, managementPath } from "./management-api.ts";
import type { GatewayServer } from "./server.ts";
import { SocketApi } from "./socket-api.ts";

export interface ServeOptions {
  graph: Graph;
  pools: Pools;
  meter: Meter;
  door: RequestAuthorizer;
  clock: Clock;
  faults: FaultInjector | undefined;
  issuers: Readonly<Record<string, string>>;
}

/** Serves the graph's HTTP API at the root of the gateway and its WebSocket API under `/socket`. */
export function serveGateway(gateway: GatewayServer, options: ServeOptions): { close(): Promise<void> } {
  const { graph, pools, meter, door, clock, faults } = options;
  const [http, ...moreHttp] = Object.values(graph.httpApis);
  const [socket, ...moreSockets] = Object.values(graph.socketApis);
  if (moreHttp.length + moreSockets.length > 0) {
    throw new LocalHomeError("config_invalid", "The local home serves one HTTP API and one WebSocket API.");
  }
  const api = http && httpApi(http, pools, options.issuers);
  const sockets = socket && new SocketApi({ api: socket, pools, meter, clock, faults });
  const management = socket && sockets && managementApi(socket, sockets, door, faults);
  gateway.serve({
    async request(request, response) {
      const connection = management && managementPath.exec(request.url ?? "")?.[1];
      if (management && connection) return management(request, response, connection);
      if (api) return api(request, response);
      response.writeHead(404, { "content-type": "application/json" }).end('{"message":"Not Found"}');
    },
    async upgrade(request, stream, head) {
      if (!sockets || !/^\/socket(\?|$)/.test(request.url ?? "")) return void stream.destroy();
      await sockets.upgrade(request, stream, head);
    },
  });
  return { close: async () => sockets?.close() };
}
