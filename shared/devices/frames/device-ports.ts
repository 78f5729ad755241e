import type { ScoutHealth } from "../../../events/health.ts";
import type { DeviceId, UserId } from "../../../events/ids.ts";
import type { SyncMessage } from "../../../events/queues.ts";
import type { AccountStore } from "../../billing/account-store.ts";
import type { Queue } from "../../ports/queue.ts";
import type { ScoutRow } from "../../scouts/scout-row.ts";
import type { Delivery, DeliveryPorts } from "../delivery.ts";
import type { FrameLimit } from "../frame-limit.ts";
import type { SessionStore } from "../session-store.ts";

/** What answering a device's frames needs. */
export interface DevicePorts extends DeliveryPorts {
  readonly delivery: Delivery;
  readonly sessions: () => Promise<SessionStore>;
  readonly accounts: AccountStore;
  readonly limit: FrameLimit;
  readonly health: (row: ScoutRow) => Promise<ScoutHealth>;
  readonly sync: Queue<SyncMessage>;
}

/** The connection a frame came in on, as the authorizer named it when it opened. */
export interface From {
  readonly userId: UserId;
  readonly deviceId: DeviceId;
  readonly connectionId: string;
}
