import type { Claim } from "../draft.ts";
import { type Thing, textAt, thingAt } from "./nodes.ts";

/** What a kind of reservation calls its parts. */
export interface Booked {
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

/** What is booked, by its type in schema.org. */
export const bookings: Readonly<Record<string, Booked>> = {
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
