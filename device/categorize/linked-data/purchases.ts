import { amountOf, isCancellation, type ReadClaim, titled } from "./claim.ts";
import { lastWord, type Thing, textAt, thingAt } from "./nodes.ts";
import { claimantOf, senderFit } from "./sender-fit.ts";
import { timeIn } from "./times.ts";

/** schema.org Order. */
export function order(thing: Thing, sender: string): ReadClaim {
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
    isCancelled: isCancellation(state),
  };
}

/** schema.org ParcelDelivery. */
export function parcel(thing: Thing, sender: string): ReadClaim {
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
    isCancelled: isCancellation(state),
  };
}

const unpaid: ReadonlySet<string> = new Set(["PaymentDue", "PaymentPastDue", "PaymentDeclined"]);

/** schema.org Invoice. */
export function invoice(thing: Thing, sender: string, ownZone: string): ReadClaim {
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
