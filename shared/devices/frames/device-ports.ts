import type { ClientFrame, ServerFrame } from "../../../events/frames/frames.ts";
import type { ScoutHealth } from "../../../events/health.ts";
import type { DeviceId, UserId } from "../../../events/ids.ts";
import type { SyncMessage } from "../../../events/queues.ts";
import type { AccountStore } from "../../billing/account-store.ts";
import type { After, NewId } from "../../ports/clock.ts";
import type { Queue } from "../../ports/queue.ts";
import type { CategorizeLeases } from "../../scouts/items/categorize-leases.ts";
import type { RoundStore } from "../../scouts/items/round-store.ts";
import type { ScoutRow } from "../../scouts/scout-row.ts";
import type { Delivery, DeliveryPorts } from "../delivery.ts";
import type { FrameLimit } from "../frame-limit.ts";
import type { Session, SessionStore } from "../session-store.ts";

/** What answering a device's frames needs. */
export interface DevicePorts extends DeliveryPorts {
  readonly delivery: Delivery;
  readonly sessions: SessionStore;
  readonly accounts: AccountStore;
  readonly limit: FrameLimit;
  readonly rounds: RoundStore;
  readonly leases: CategorizeLeases;
  readonly health: (row: ScoutRow) => Promise<ScoutHealth>;
  readonly sync: Queue<SyncMessage>;
  readonly folders: FrameHandler<FolderFrame>;
  readonly runs: FrameHandler<RunFrame>;
  readonly newId: NewId;
  /** By the process's own timers unless given. */
  readonly after?: After;
}

/** Answers frames that carry content, within the session they belong to. No answer: one comes when the work is done. */
export interface FrameHandler<F extends ClientFrame> {
  answer(from: From, session: Session, frame: F): Promise<ServerFrame | undefined>;
}

export type FolderFrame = Extract<
  ClientFrame,
  { type: "index_session_start" | "index_file_batch" | "index_session_cancel" | "index_session_finish" }
>;
export type RunFrame = Extract<ClientFrame, { type: "agent_run" | "agent_cancel" | "tool_results" }>;

/** The connection a frame came in on, as the authorizer named it when it opened. */
export interface From {
  readonly userId: UserId;
  readonly deviceId: DeviceId;
  readonly connectionId: string;
}
