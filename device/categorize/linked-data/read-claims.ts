import { bookings } from "./bookings.ts";
import type { ReadClaim, ReadThing } from "./claim.ts";
import { type Thing, thingAt, thingsIn, typeOf } from "./nodes.ts";
import { invoice, order, parcel } from "./purchases.ts";
import { reserved } from "./reservations.ts";

/** Things that a mail's reader is asked to do by a button (schema.org Action). */
const asked: ReadonlySet<string> = new Set([
  "ConfirmAction",
  "ReviewAction",
  "RsvpAction",
  "SaveAction",
  "AcceptAction",
]);

/** What the JSON-LD of a mail comes to. */
export interface LinkedData {
  readonly claims: readonly ReadClaim[];
  /** It has a button that wants pressing. */
  readonly asksForClick: boolean;
  /** It advertises something (PromotionCard, DiscountOffer). */
  readonly isPromotion: boolean;
  readonly isUnreadable: boolean;
}

const mostClaims = 5;

/** @param senderAddress who the mail is from, by its header */
export function readClaims(sources: readonly string[], senderAddress: string, ownZone: string): LinkedData {
  const documents = sources.map(thingsIn);
  const things = documents.flatMap((each) => each ?? []);
  const actions = things.flatMap((thing) => typeOf(thingAt(thing, "potentialAction") ?? {}));
  return {
    claims: things.flatMap((thing) => claimOf(thing, senderAddress, ownZone) ?? []).slice(0, mostClaims),
    asksForClick: actions.some((action) => asked.has(action)),
    isPromotion: things.some((thing) => ["PromotionCard", "DiscountOffer"].includes(typeOf(thing))),
    isUnreadable: documents.includes(undefined),
  };
}

function claimOf(thing: Thing, senderAddress: string, ownZone: string): ReadClaim | undefined {
  const type = typeOf(thing);
  const kind = kinds.get(type);
  return kind?.(thing, senderAddress, ownZone);
}

const kinds: ReadonlyMap<string, ReadThing> = new Map<string, ReadThing>([
  ["Order", order],
  ["ParcelDelivery", parcel],
  ["Invoice", invoice],
  ...Object.entries(bookings).map(([name, booked]): [string, ReadThing] => [name, reserved(booked)]),
]);
