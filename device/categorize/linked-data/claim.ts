import type { Claim } from "../draft.ts";
import type { Thing } from "./nodes.ts";

/** What a mail says of itself by schema.org, as it is used. */
export interface ReadClaim {
  readonly claim: Claim;
  readonly title: string;
  /** Of a trip, a stay, a booking: when and where. */
  readonly event: ClaimedEvent | null;
  /** A day or a moment, of what is to be paid. */
  readonly due: string | null;
  /** Nothing is left to be done about it: paid, delivered, cancelled. */
  readonly isSettled: boolean;
  readonly isCancelled: boolean;
}

export interface ClaimedEvent {
  readonly start: string;
  readonly end: string;
  readonly zone: string | null;
  readonly isAllDay: boolean;
  readonly place: string;
}

/** Reads a thing of one kind. */
export type ReadThing = (thing: Thing, senderAddress: string, ownZone: string) => ReadClaim;

/** Of a state's name (schema.org OrderStatus, ReservationStatusType, EventStatusType). */
export const isCancellation = (state: string): boolean => /Cancell?ed$/.test(state);

/** An amount of money as it is written, such as "12.50 EUR"; 60 characters at most, "" when nothing is known. */
export const amountOf = (price: string, currency: string): string =>
  [price, currency]
    .filter((each) => each !== "")
    .join(" ")
    .slice(0, 60);

/** A title such as "Order 42: a lamp (Shop)"; what is empty is left out. */
export function titled(words: readonly string[], about: string, by: string): string {
  const named = words.filter((each) => each !== "").join(" ");
  return `${named}${about === "" ? "" : `: ${about}`}${by === "" ? "" : ` (${by})`}`;
}
