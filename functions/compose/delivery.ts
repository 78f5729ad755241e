import { Delivery } from "../../shared/devices/delivery.ts";
import { once } from "../once.ts";
import { connectors } from "./connectors.ts";
import { deliveryPortsOver } from "./work/delivery-over.ts";

export const deliveryPorts = once(() => deliveryPortsOver(connectors()));

export const delivery = once(() => new Delivery(deliveryPorts()));
