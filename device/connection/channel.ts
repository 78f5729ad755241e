import type { ErrorCode } from "../../events/error-kinds.ts";
import type { ScoutsError } from "../../events/errors.ts";
import type { ServerFrame } from "../../events/frames/frames.ts";
import type { DeviceError, DeviceErrorCode } from "../errors.ts";
import type { ConnectionState } from "./state.ts";
import type { AfterCommit } from "./window.ts";

/** What the cloud answers to `hello`: the session, its key and the cloud's limits. */
export type Session = Extract<ServerFrame, { type: "session_ready" }>;

/** An attempt to connect, or a connection, that failed. */
export interface ConnectionFailure {
  /** The device's own, or with the cloud's code. */
  readonly error: DeviceError | ScoutsError;
  /** For how long nothing will have come of it by the time of the next attempt. */
  readonly lastsMs: number;
  /** Whether the next attempt may end otherwise though nobody does anything about it. */
  readonly mayPass: boolean;
}

/** One kind of work that goes over a connection. */
export interface Channel {
  /** The cloud has answered the greeting. What is sent in it goes out when it returns. */
  greeted(session: Session): void;
  /** Frames of one type, in order, that answer none of the device's; called in the transaction of all that came with them. */
  received(frames: readonly ServerFrame[]): AfterCommit[];
  /** The socket is gone, or there never was one. Called more than once. */
  stopped(): void;
  /** Another attempt follows. */
  failed(failure: ConnectionFailure): void;
  /** Frames were applied, or the window takes more. */
  progressed?(): void;
  /** Asks something the cloud answers, to keep the connection; false when there is nothing to ask. */
  heartbeat?(): boolean;
  /** The message holds no content. */
  problem?(code: DeviceErrorCode | ErrorCode, message: string): void;
  moved?(from: ConnectionState, to: ConnectionState): void;
  /** The connection is being closed for good. */
  closed?(): void;
}
