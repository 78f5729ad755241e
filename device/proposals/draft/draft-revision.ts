import { createHash } from "node:crypto";
import type { StoredProposal } from "../../store/schema.ts";

/**
 * Names what a proposal's draft says now: whoever changes or approves what they saw says which one that was, so that nothing
 * that came meanwhile (a model's reading, another tab) is overwritten or approved unseen.
 */
export function draftRevision({ round, category, priority, payload }: StoredProposal): string {
  const said = JSON.stringify([round, category, priority, payload]);
  return createHash("sha256").update(said).digest("base64url").slice(0, 16);
}
