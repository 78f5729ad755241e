import type { Claim } from "../draft.ts";
import { lastWord, type Thing, textAt, thingAt, thingsIn, typeOf } from "./nodes.ts";
import { claimantOf, senderFit } from "./sender-fit.ts";
import { endIn, timeIn } from "./times.ts";

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

type Reader = (thing: Thing, senderAddress: string, ownZone: string) => ReadClaim;

const cancelled = /Cancell?ed$/;

function order(thing: Thing, sender: string): ReadClaim {
  const by = claimantOf(thing, ["merchant", "seller", "provider", "broker"]);
  const offer = thingAt(thing, "acceptedOffer");
  const item = textAt(offer, "itemOffered") || textAt(thing, "orderedItem");
  const amount = amountOf(
    textAt(thing, "price") || textAt(offer, "price"),
    textAt(thing, "priceCurrency") || textAt(offer, "priceCurrency"),
  );
  const number = textAt(thing, "orderNumber", 100);
  const state = lastWord(textAt(thing, "orderStatus"));
  return {
    claim: { type: "order", by: by.name, sender: senderFit(by, sender), number, amount, state },
    title: titled(["Order", number], item, by.name),
    event: null,
    due: null,
    isSettled: state !== "OrderPaymentDue" && state !== "OrderPickupAvailable" && state !== "OrderProblem",
    isCancelled: cancelled.test(state),
  };
}

function parcel(thing: Thing, sender: string): ReadClaim {
  const by = claimantOf(thing, ["carrier", "provider"]);
  const bought = thingAt(thing, "partOfOrder");
  const number = textAt(thing, "trackingNumber", 100);
  const state = lastWord(textAt(thing, "deliveryStatus") || textAt(bought, "orderStatus"));
  const item = textAt(thing, "itemShipped") || textAt(bought, "orderNumber");
  return {
    claim: { type: "parcel", by: by.name, sender: senderFit(by, sender), number, amount: "", state },
    title: titled(["Parcel", number], item, by.name),
    event: null,
    due: null,
    isSettled: state !== "OrderPickupAvailable" && state !== "OrderProblem",
    isCancelled: cancelled.test(state),
  };
}

const unpaid: ReadonlySet<string> = new Set(["PaymentDue", "PaymentPastDue", "PaymentDeclined"]);

function invoice(thing: Thing, sender: string, ownZone: string): ReadClaim {
  const by = claimantOf(thing, ["provider", "broker", "seller"]);
  const total = thingAt(thing, "totalPaymentDue") ?? thingAt(thing, "minimumPaymentDue");
  const amount = amountOf(
    textAt(total, "price") || textAt(total, "value"),
    textAt(total, "priceCurrency") || textAt(total, "currency"),
  );
  const state = lastWord(textAt(thing, "paymentStatus"));
  const due = timeIn(textAt(thing, "paymentDueDate") || textAt(thing, "paymentDue"), ownZone);
  const number = textAt(thing, "confirmationNumber", 100) || textAt(thing, "accountId", 100);
  const isSettled = state !== "" && !unpaid.has(state);
  return {
    claim: { type: "invoice", by: by.name, sender: senderFit(by, sender), number, amount, state },
    title: titled(["Invoice", number], amount, by.name),
    event: null,
    due: due === undefined || isSettled ? null : due.value.slice(0, 10),
    isSettled,
    isCancelled: false,
  };
}

/** What a kind of reservation calls its parts. */
interface Booked {
  readonly type: Claim["type"];
  readonly word: string;
  /** What is booked lies in `reservationFor`, or in the reservation itself. */
  readonly start: readonly string[];
  readonly end: readonly string[];
  readonly by: readonly string[];
  readonly named: (what: Thing | undefined, thing: Thing) => string;
  readonly place: (what: Thing | undefined, thing: Thing) => string;
}

const between = (from: string, to: string): string => (from === "" || to === "" ? from || to : `${from} to ${to}`);
const stop = (thing: Thing | undefined, name: string): string => {
  const at = thingAt(thing, name);
  const code = textAt(at, "iataCode", 10);
  const called = textAt(at, "name") || textAt(thing, name);
  return called === "" ? code : code === "" ? called : `${called} (${code})`;
};

const ride = (word: string, from: string, to: string, names: readonly string[]): Booked => ({
  type: "trip",
  word,
  start: ["departureTime"],
  end: ["arrivalTime"],
  by: ["provider", "airline", "bookingAgent", "broker"],
  named: (what) =>
    [
      names.map((name) => textAt(what, name)).find((each) => each !== "") ?? "",
      between(stop(what, from), stop(what, to)),
    ]
      .filter((each) => each !== "")
      .join(", "),
  place: (what) => stop(what, from),
});

const bookings: Readonly<Record<string, Booked>> = {
  FlightReservation: {
    ...ride("Flight", "departureAirport", "arrivalAirport", []),
    named: (what) => {
      const airline = thingAt(what, "airline");
      const number = textAt(what, "flightNumber", 20);
      const code = textAt(airline, "iataCode", 10);
      const called = number.startsWith(code) ? number : `${code}${number}`;
      return [called, between(stop(what, "departureAirport"), stop(what, "arrivalAirport"))]
        .filter((each) => each !== "")
        .join(", ");
    },
  },
  TrainReservation: ride("Train", "departureStation", "arrivalStation", ["trainNumber", "trainName"]),
  BusReservation: ride("Bus", "departureBusStop", "arrivalBusStop", ["busNumber", "busName"]),
  BoatReservation: ride("Boat", "departureBoatTerminal", "arrivalBoatTerminal", ["name"]),
  LodgingReservation: {
    type: "stay",
    word: "Stay",
    start: ["checkinTime", "checkinDate"],
    end: ["checkoutTime", "checkoutDate"],
    by: ["provider", "broker", "bookingAgent", "reservationFor"],
    named: (what) => textAt(what, "name"),
    place: (what) => addressOf(what),
  },
  EventReservation: {
    type: "booking",
    word: "Event",
    start: ["startDate"],
    end: ["endDate"],
    by: ["provider", "broker", "bookingAgent"],
    named: (what) => textAt(what, "name"),
    place: (what) => placeOf(thingAt(what, "location"), textAt(what, "location")),
  },
  FoodEstablishmentReservation: {
    type: "booking",
    word: "Table",
    start: ["startTime"],
    end: ["endTime"],
    by: ["provider", "broker", "bookingAgent", "reservationFor"],
    named: (what) => textAt(what, "name"),
    place: (what) => addressOf(what),
  },
  RentalCarReservation: {
    type: "booking",
    word: "Rental car",
    start: ["pickupTime"],
    end: ["dropoffTime"],
    by: ["provider", "broker", "bookingAgent"],
    named: (what) => textAt(what, "name") || textAt(what, "model"),
    place: (_, thing) => placeOf(thingAt(thing, "pickupLocation"), textAt(thing, "pickupLocation")),
  },
  TaxiReservation: {
    type: "trip",
    word: "Taxi",
    start: ["pickupTime"],
    end: [],
    by: ["provider", "broker", "bookingAgent"],
    named: () => "",
    place: (_, thing) => placeOf(thingAt(thing, "pickupLocation"), textAt(thing, "pickupLocation")),
  },
  Event: {
    type: "booking",
    word: "Event",
    start: ["startDate"],
    end: ["endDate"],
    by: ["organizer", "performer"],
    named: (_, thing) => textAt(thing, "name"),
    place: (_, thing) => placeOf(thingAt(thing, "location"), textAt(thing, "location")),
  },
};

const reserved =
  (booked: Booked): Reader =>
  (thing, sender, ownZone) => {
    const what = thingAt(thing, "reservationFor");
    const first = (names: readonly string[]) =>
      names.map((name) => textAt(thing, name) || textAt(what, name)).find((each) => each !== "") ?? "";
    const own = claimantOf(thing, booked.by);
    const by = own.name === "" && own.hosts.length === 0 && what !== undefined ? claimantOf(what, booked.by) : own;
    const start = timeIn(first(booked.start), ownZone);
    const number = textAt(thing, "reservationNumber", 100) || textAt(thing, "reservationId", 100);
    const state = lastWord(textAt(thing, "reservationStatus") || textAt(thing, "eventStatus"));
    const named = booked.named(what, thing);
    return {
      claim: {
        type: booked.type,
        by: by.name,
        sender: senderFit(by, sender),
        number,
        amount: amountOf(textAt(thing, "totalPrice") || textAt(thing, "price"), textAt(thing, "priceCurrency")),
        state,
      },
      title: named === "" ? titled([booked.word, number], "", by.name) : `${booked.word}: ${named}`,
      event:
        start === undefined
          ? null
          : {
              start: start.value,
              end: endIn(first(booked.end), start, ownZone) ?? lasting(start.value),
              zone: start.zone,
              isAllDay: !start.value.includes("T"),
              place: booked.place(what, thing).slice(0, 1_000),
            },
      due: null,
      isSettled: false,
      isCancelled: cancelled.test(state),
    };
  };

/** The end of what names none: as it begins, or the day after where it is a day (RFC 5545 §3.6.1). */
const lasting = (start: string): string =>
  start.includes("T") ? start : new Date(Date.parse(start) + 86_400_000).toISOString().slice(0, 10);

function addressOf(thing: Thing | undefined): string {
  const address = thingAt(thing, "address");
  if (address === undefined) return textAt(thing, "address");
  return ["streetAddress", "postalCode", "addressLocality", "addressRegion", "addressCountry"]
    .map((name) => textAt(address, name))
    .filter((each) => each !== "")
    .join(", ");
}

const placeOf = (place: Thing | undefined, otherwise: string): string =>
  [textAt(place, "name") || (place === undefined ? otherwise : ""), addressOf(place)]
    .filter((each) => each !== "")
    .join(", ");

const amountOf = (price: string, currency: string): string =>
  [price, currency]
    .filter((each) => each !== "")
    .join(" ")
    .slice(0, 60);

function titled(words: readonly string[], about: string, by: string): string {
  const named = words.filter((each) => each !== "").join(" ");
  return `${named}${about === "" ? "" : `: ${about}`}${by === "" ? "" : ` (${by})`}`;
}

const kinds: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["Order", order],
  ["ParcelDelivery", parcel],
  ["Invoice", invoice],
  ...Object.entries(bookings).map(([name, booked]): [string, Reader] => [name, reserved(booked)]),
]);
