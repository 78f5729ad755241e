import type { Priority } from "../../../events/proposals/categorize.ts";
import type { Categorized, ProposalDraft, Reason } from "../draft.ts";
import type { ItemView, Known } from "../item-view.ts";
import { atMost, isOver, priorityOfDue, priorityOfEvent } from "../priority.ts";
import { resultOf } from "../result.ts";
import type { ReadClaim } from "./claim.ts";
import type { LinkedData } from "./read-claims.ts";

const whyOf = {
  order: "order",
  parcel: "parcel",
  invoice: "invoice",
  trip: "booking",
  stay: "booking",
  booking: "booking",
} as const;

/** Says what a mail claims of itself as a proposal; undefined when it claims nothing that is known. */
export function linkedDataRules(
  item: ItemView,
  { claims }: LinkedData,
  known: Known,
  dropped: readonly Reason[],
): Categorized | undefined {
  const [main] = claims.toSorted((one, other) => weight(other) - weight(one));
  if (main === undefined) return undefined;
  const { claim, event, due, isSettled, isCancelled } = main;
  const reasons: Reason[] = [
    isCancelled ? "cancelled" : claim.type === "invoice" && isSettled ? "invoice_settled" : whyOf[claim.type],
    ...(claim.sender === "other" ? (["sender_differs"] as const) : []),
    ...(claims.length > 1 ? (["more_events"] as const) : []),
    ...(known.isSenderKnown ? (["from_known"] as const) : []),
  ];
  const result = (category: Categorized["category"], priority: Priority, draft: Partial<ProposalDraft>) =>
    resultOf(item, category, capped(priority, main, known), {
      title: main.title,
      claims: claims.map((each) => each.claim),
      ...draft,
      reasons,
      dropped: [...dropped],
    });
  if (event !== null) {
    if (isOver(event, known)) return result(isCancelled ? "information" : "event", "none", { ...event });
    return isCancelled
      ? result("information", "soon", { ...event })
      : result("event", priorityOfEvent(event, known), { ...event });
  }
  if (claim.type === "invoice" && !isSettled) {
    return result("task", due === null ? "later" : priorityOfDue(due, known), { due });
  }
  if (!isSettled && !isCancelled && (claim.type === "order" || claim.type === "parcel")) {
    return result(claim.state === "OrderPaymentDue" ? "task" : "actionable_only", "soon", {});
  }
  return result("information", "none", {});
}

/** What matters most of several. */
const weight = ({ event, due, isSettled }: ReadClaim): number =>
  event !== null ? 3 : due !== null ? 2 : isSettled ? 0 : 1;

/** Whoever says to be somebody else hurries nobody; nor does a stranger as much as somebody known. */
function capped(priority: Priority, { claim }: ReadClaim, { isSenderKnown }: Known): Priority {
  if (claim.sender === "other") return atMost(priority, "later");
  return isSenderKnown ? priority : atMost(priority, "soon");
}
