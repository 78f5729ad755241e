import type { EventEmitter } from "node:events";
import type { DeviceStore } from "../../store/open.ts";
import type { Connection } from "../connection.ts";
import type { DeviceEvents } from "../events.ts";
import type { ConnectionPorts } from "../ports.ts";

/** What deliveries work on. */
export interface DeliveryPorts extends Pick<ConnectionPorts, "newFrameId"> {
  readonly connection: Connection;
  readonly store: DeviceStore;
  readonly events: EventEmitter<DeviceEvents>;
}
