import type { Booked } from "./bookings.ts";
import { amountOf, isCancellation, type ReadThing, titled } from "./claim.ts";
import { lastWord, textAt, thingAt } from "./nodes.ts";
import { claimantOf, senderFit } from "./sender-fit.ts";
import { endIn, timeIn } from "./times.ts";

/** Reads a reservation, or an event, of one type. */
export const reserved =
  (booked: Booked): ReadThing =>
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
      isCancelled: isCancellation(state),
    };
  };

/** The end of what names none: as it begins, or the day after where it is a day (RFC 5545 §3.6.1). */
const lasting = (start: string): string =>
  start.includes("T") ? start : new Date(Date.parse(start) + 86_400_000).toISOString().slice(0, 10);
