import type { Proposal } from "../app/api.ts";

/** Until when a proposal is out of sight (milliseconds since the epoch); undefined of one that is not. */
export function snoozedUntil({ status, snoozedUntil: untilMs }: Proposal, nowMs: number): number | undefined {
  return status === "pending" && untilMs !== null && untilMs > nowMs ? untilMs : undefined;
}

/** Why a proposal is closed that nobody has decided here, as the catalogue calls it; undefined where that is not known. */
export function closedBecause({ status, closedReason, decidedElsewhere }: Proposal): string | undefined {
  if (status !== "expired" || closedReason === null) return undefined;
  const isDecided = closedReason === "resolved_elsewhere" && decidedElsewhere !== null;
  return isDecided ? `decidedElsewhere.${decidedElsewhere}` : `closedBecause.${closedReason}`;
}

/**
 * How a proposal can be decided anew. What was decided here is undone, with what it made; what another device has decided is
 * opened again, as is what nobody decided in time; where both have decided, its person chooses first.
 */
export function wayBack({ status, isInConflict, closedReason }: Proposal): "undo" | "reopen" | undefined {
  if (isInConflict || status === "pending") return undefined;
  if (status !== "expired") return "undo";
  return closedReason === "resolved_elsewhere" || closedReason === "expired" ? "reopen" : undefined;
}

const outcomes = ["task", "event", "note"] as const;

/** What has become of a proposal by a decision of this device. */
export function becameOf({ resolvedEntityType: type, resolvedEntityId: id }: Proposal) {
  const kind = outcomes.find((each) => each === type);
  return kind === undefined || id === null ? undefined : { kind, id };
}
