import type { StoredProposal } from "../../store/schema.ts";

/** How a proposal stands, in words for a person: what another device has decided did not merely come to its end. */
export function standingOf({ status, closedReason, decidedElsewhere }: StoredProposal): string {
  if (status !== "expired" || closedReason !== "resolved_elsewhere") return status;
  return `${decidedElsewhere ?? "decided"} elsewhere`;
}
