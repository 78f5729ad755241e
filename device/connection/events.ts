import type { ErrorCode } from "../../events/error-kinds.ts";
import type { ScoutHealth } from "../../events/health.ts";
import type { FrameId, ScoutId, SessionId } from "../../events/ids.ts";
import type { DeviceErrorCode } from "../errors.ts";
import type { StoredProposal } from "../store/schema.ts";
import type { ConnectionState } from "./state.ts";

/** What a device tells its program. Everything is durable before it is told. */
export interface DeviceEvents {
  state: [change: { from: ConnectionState; to: ConnectionState }];
  ready: [session: { sessionId: SessionId; clockOffsetMs: number }];
  /** A proposal this device did not have, to be decided. */
  proposal: [proposal: StoredProposal];
  /** Stage 2 has looked at a proposal, or a newer one has changed what it says. */
  categorized: [proposal: StoredProposal];
  /** A proposal was closed, that was pending or comes closed: decided on another device, gone at its source, expired, restored. */
  closed: [proposal: StoredProposal];
  /** A decision of this device was not counted: another one was first. It stays, and is marked. */
  conflict: [proposal: StoredProposal];
  /** Every open proposal the cloud knows of is stored. */
  caughtUp: [];
  /** A frame of the outbox reached the cloud. */
  accepted: [frameId: FrameId];
  /** The cloud will never take a frame of the outbox. */
  refused: [refusal: { frameId: FrameId; code: ErrorCode }];
  /** A scout has something to tell: off, failing, told of nothing by its source, or with a gap; or it works again. */
  health: [scout: ScoutHealth];
  /** A scout lost access to its source: the person must connect it again. Told once more on every connection. */
  reauth: [scout: { scoutId: ScoutId; code: ErrorCode; sinceMs: number }];
  /** A scout that was off works again. */
  mended: [scout: { scoutId: ScoutId }];
  /** Something went wrong; the device goes on by itself (see `state`). The message holds no content. */
  problem: [problem: { code: DeviceErrorCode | ErrorCode; message: string }];
}
