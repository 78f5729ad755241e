import { errorCodes, errorKinds } from "../../../events/error-kinds.ts";
import { isDeviceError } from "../../errors.ts";
import type { RefusedDecisions } from "../../store/tables/outbox.ts";
import type { TimeAndIds } from "../../time-and-ids.ts";
import type { Check } from "../checks.ts";
import { found } from "../findings.ts";
import { openIfSound } from "./open-if-sound.ts";

/** More of them make a command nobody reads; the rest is named when these are taken back. */
const namedProposals = 3;

/** What the cloud has refused of the person's decisions, by its reason, and what to do; nothing where it took all. */
export function checkDecisions(dataFolder: string, timeAndIds: TimeAndIds): Check[] {
  const store = openIfSound(dataFolder, timeAndIds);
  if (store === undefined) return [];
  try {
    return refusedChecks(store.outbox.refusedDecisions());
  } catch (error) {
    // That the database cannot be read is a check of its own.
    if (!isDeviceError(error)) throw error;
    return [];
  } finally {
    store.close();
  }
}

/** The same of what was read. Of a proposal that is no more there is nothing to be mended; it is named all the same. */
export const refusedChecks = (refused: readonly RefusedDecisions[]): Check[] =>
  refused.map(({ code, decisions, proposals }) => {
    // Whole ids: a source that was added again has the same refs once more.
    const values = { total: decisions, reason: code, refs: proposals.slice(0, namedProposals).join(" ") };
    if (code === "proposal_not_found") {
      return { name: "decisions", state: "note", ...found("decisions_unknown", values) };
    }
    // One that an older program kept may be none any more.
    const known = errorCodes.find((each) => each === code);
    const message = known === undefined ? "it did not take them." : errorKinds[known].sentence;
    return { name: "decisions", state: "fail", ...found("decisions_refused", values, { why: { code, message } }) };
  });
