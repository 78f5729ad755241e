import type { DeviceId, UserId } from "../../../events/ids.ts";
import type { Delivery, DeliveryPorts } from "../delivery.ts";
import type { SessionStore } from "../session-store.ts";

/** What answering a device's frames needs. */
export interface DevicePorts extends DeliveryPorts {
  readonly delivery: Delivery;
  readonly sessions: () => Promise<SessionStore>;
}

/** The connection a frame came in on, as the authorizer named it when it opened. */
export interface From {
  readonly userId: UserId;
  readonly deviceId: DeviceId;
  readonly connectionId: string;
}
