import type { ErrorCode } from "../../events/error-kinds.ts";
import type { ScoutResponse } from "../../events/http/scouts.ts";

/** What a scout is up to; only one that is `watching` finds what is new. */
export const scoutStates = ["watching", "failing", "resting", "paused", "off", "notConnected"] as const;

export interface ScoutState {
  readonly state: (typeof scoutStates)[number];
  /** Since when, where that is known; milliseconds since the epoch. */
  readonly since: number | null;
  /** Why it is off, or why its looks fail. */
  readonly code: ErrorCode | null;
}

/** What of a scout its state is read from. */
export type StateFacts = Pick<
  ScoutResponse,
  "disabledCode" | "disabledAt" | "connected" | "paused" | "restingSince" | "failing"
>;

/** The state of a scout, for everybody who shows one. */
export function stateOf(scout: StateFacts): ScoutState {
  const { disabledCode, disabledAt, connected, paused, restingSince, failing } = scout;
  if (disabledCode !== null) return { state: "off", since: disabledAt, code: disabledCode };
  if (!connected) return { state: "notConnected", since: null, code: null };
  if (paused) return { state: "paused", since: null, code: null };
  if (restingSince !== null) return { state: "resting", since: restingSince, code: null };
  if (failing !== null) return { state: "failing", since: failing.since, code: failing.code };
  return { state: "watching", since: null, code: null };
}

/** A scout with its state, as it is printed for programs and sent to the console. */
export const withState = <S extends StateFacts>(scout: S): S & ScoutState => ({ ...scout, ...stateOf(scout) });
