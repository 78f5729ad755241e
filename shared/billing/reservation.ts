import type { Month } from "./month.ts";

/** Tokens wanted for one operation. */
export interface ReservationRequest {
  /** Item and stage: the same however often its message is delivered. At most 200 characters, no content. */
  readonly op: string;
  /** What it counts in besides the person: a scout, a project. */
  readonly within: string;
  /** An upper bound of what the operation takes. */
  readonly tokens: number;
  /** Tokens the operation's result row already counts. */
  readonly base: number;
  /** The reservation that row was last written under. */
  readonly writtenUnder?: string | undefined;
}

export interface Caps {
  /** Tokens a month, `undefined` unlimited. */
  readonly total: number | undefined;
  readonly within: ReadonlyMap<string, number>;
}

/** A request that was granted; whoever writes the operation's result writes the reservation's id with it. */
export interface Reservation extends Omit<ReservationRequest, "writtenUnder"> {
  readonly id: string;
  /** This grant: the last one of a reservation holds it. */
  readonly holder: string;
  /** Somebody had reserved for the operation already, and may still be at work on it. */
  readonly joined: boolean;
}

/** Tokens that are set aside, in the month they were set aside in. */
export interface Reserved {
  readonly month: Month;
  readonly granted: readonly Reservation[];
  /** Nothing is left for these until `untilMs`: the next month, or a moment when others' reservations are in the way. */
  readonly refused: readonly { readonly request: ReservationRequest; readonly untilMs: number }[];
}

/** How an operation ended for one of those who worked on it. */
export interface Spent {
  readonly request: Reservation;
  /** Absent when there is none: the operation has to wait. */
  readonly result?: Result;
  /** Without a result: tokens of an answer that came before what it has to wait for. No row counts them. */
  readonly billed?: number;
}

/** What an operation's result says by now. */
export interface Result {
  readonly total: number;
  /** The reservation it was written under; absent while there is none. */
  readonly reservation?: string;
}
