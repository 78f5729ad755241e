import type { FrameId } from "../../events/ids.ts";
import { newFrameId } from "../store/decide.ts";
import { systemTimeAndIds, type TimeAndIds } from "../time-and-ids.ts";
import { type BackoffOptions, reconnectBackoff } from "./backoff.ts";
import { type Clock, systemClock } from "./clock.ts";
import { DeviceSocket, type SocketConstructor } from "./socket.ts";

/** What a connection takes from the machine it runs on. */
export interface ConnectionPorts {
  readonly clock: Clock;
  /** Uniform in [0, 1); spreads reconnections. */
  readonly random: () => number;
  readonly newFrameId: () => FrameId;
  /** A WHATWG WebSocket class. */
  readonly WebSocket: SocketConstructor;
  /** Between connections. */
  readonly backoff: BackoffOptions;
}

/** This machine's own, for a connection and the store behind it. */
export const systemPorts: ConnectionPorts & TimeAndIds = {
  ...systemTimeAndIds,
  clock: systemClock,
  random: Math.random,
  newFrameId: () => newFrameId(systemTimeAndIds.newId),
  WebSocket: DeviceSocket,
  backoff: reconnectBackoff,
};
