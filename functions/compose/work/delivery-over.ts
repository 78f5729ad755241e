import { ConnectionStore } from "../../../shared/devices/connection-store.ts";
import type { DeliveryPorts } from "../../../shared/devices/delivery.ts";
import { systemClock } from "../../../shared/ports/clock.ts";
import type { ConnectorRegistry } from "../../../shared/scouts/connectors/connector.ts";
import { ItemStore } from "../../../shared/scouts/items/item-store.ts";
import { ScoutStore } from "../../../shared/scouts/scout-store.ts";
import { log } from "../../log.ts";
import { sourceQuota } from "../quota.ts";
import { sockets } from "../sockets.ts";
import { ledger, sessions } from "../tables.ts";

/** What delivery stands on, with the sources a function can read. */
export const deliveryPortsOver = (connectors: ConnectorRegistry): DeliveryPorts => ({
  items: new ItemStore(ledger()),
  scouts: new ScoutStore(ledger()),
  quota: sourceQuota(),
  connections: new ConnectionStore(sessions()),
  sockets: sockets(),
  connectors,
  clock: systemClock,
  log,
});
