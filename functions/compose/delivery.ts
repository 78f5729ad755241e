import { ConnectionStore } from "../../shared/devices/connection-store.ts";
import { Delivery, type DeliveryPorts } from "../../shared/devices/delivery.ts";
import { systemClock } from "../../shared/ports/clock.ts";
import { ItemStore } from "../../shared/scouts/items/item-store.ts";
import { ScoutStore } from "../../shared/scouts/scout-store.ts";
import { log } from "../log.ts";
import { once } from "../once.ts";
import { connectors } from "./connectors.ts";
import { sourceQuota } from "./quota.ts";
import { sockets } from "./sockets.ts";
import { ledger, sessions } from "./tables.ts";

export const deliveryPorts = once(
  (): DeliveryPorts => ({
    items: new ItemStore(ledger()),
    scouts: new ScoutStore(ledger()),
    quota: sourceQuota(),
    connections: new ConnectionStore(sessions()),
    sockets: sockets(),
    connectors: connectors(),
    clock: systemClock,
    log,
  }),
);

export const delivery = once(() => new Delivery(deliveryPorts()));
