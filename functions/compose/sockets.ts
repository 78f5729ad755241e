import { GatewayConnections } from "../../shared/aws/gateway-connections.ts";
import { linked } from "../environment.ts";
import { once } from "../once.ts";

export const sockets = once(() => new GatewayConnections(linked("DeviceSocket").managementEndpoint));
