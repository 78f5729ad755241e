import { type FrameId, frameId, type ProposalId } from "../../events/ids.ts";
import { DeviceError } from "../errors.ts";
import { exactError } from "../exact-sentences.ts";
import { undoChange } from "../work/undo-change.ts";
import type { DeviceStore } from "./open.ts";
import type { StoredProposal } from "./schema.ts";
import { isInConflict } from "./tables/proposals/decisions.ts";
import type { EntityChange } from "./work-schema.ts";

/** @param newId ULIDs without prefix */
export function newFrameId(newId: () => string): FrameId {
  return frameId.parse(`frm_${newId()}`);
}

/**
 * A person's decision: the proposal's row and the frame that tells the cloud become durable together. Any process may
 * call this; the one that holds the connection sends the frame.
 *
 * @param notBefore the cloud is not told before this (milliseconds since the epoch): until then it can be undone
 * @throws DeviceError `proposal_unknown`, `proposal_decided`.
 */
export function decideProposal(
  store: DeviceStore,
  id: ProposalId,
  outcome: "approved" | "rejected",
  nextFrameId: () => FrameId,
  notBefore?: number,
): StoredProposal {
  return store.transaction(() => {
    const decided = store.proposals.decide(id, outcome);
    const { round } = decided;
    const frame = { type: "scout_proposal_resolved" as const, id: nextFrameId(), proposalId: id, round, outcome };
    store.outbox.put(frame, { subject: id, ...(notBefore === undefined ? {} : { notBefore }) });
    return decided;
  });
}

/** How a decision was taken back. */
export type UndoneBy =
  /** The cloud had not been told: it is as if nothing had been decided. */
  | "withdrawn"
  /** It had been told, or may have been: the proposal is open again, on every device. */
  | "reopened"
  /** Another device had decided first: that decision stands. */
  | "yielded"
  /** The cloud had refused it: it never counted, and only this device knew of it. */
  | "refused"
  /** Its scout is removed meanwhile: the proposal is closed. */
  | "removed";

export interface UndoneDecision {
  readonly proposal: StoredProposal;
  readonly by: UndoneBy;
}

/**
 * Takes a decision back, with what it made. Where the cloud has not been told, row and frame go together, so that no
 * process sends what was undone; where it has, the proposal is reopened; where another device was first, its decision is
 * let stand. What the cloud has refused, or would refuse because the scout is removed, is taken back here alone.
 *
 *     the sender                     a person, maybe in another process
 *     sending()  -> true             undo: nothing to withdraw, so it reopens
 *     writes: decided, round 1
 *     writes: reopen, round 1        behind it, in the order of the outbox
 *
 * @throws DeviceError `proposal_unknown`, `proposal_undecided`; `change_superseded` when what it became has changed since
 */
export function undoDecision(store: DeviceStore, id: ProposalId, nextFrameId: () => FrameId): UndoneDecision {
  return store.transaction(() => {
    const decided = known(store, id);
    if (decided.status === "pending") throw new DeviceError("proposal_undecided", { data: { id } });
    const isWithdrawn = store.outbox.withdraw(id);
    takeAway(store, decided);
    if (isInConflict(decided)) return { proposal: store.proposals.yield(id), by: "yielded" };
    const by = whyHereAlone(store, decided);
    if (by !== undefined) return { proposal: takenBackHere(store, decided), by };
    if (isWithdrawn) return { proposal: store.proposals.undecide(id), by: "withdrawn" };
    return { proposal: inNextRound(store, decided, nextFrameId), by: "reopened" };
  });
}

/**
 * Opens what was decided for another decision, here and on every device. What it has become stays, and is taken up when
 * the proposal is approved again. A decision that the cloud has not been told of is withdrawn, with what it made.
 *
 * @throws DeviceError `proposal_unknown`, `proposal_undecided`, `proposal_decided` (its scout is removed); `change_superseded`
 * as {@link undoDecision}
 */
export function reopenProposal(store: DeviceStore, id: ProposalId, nextFrameId: () => FrameId): StoredProposal {
  return store.transaction(() => {
    const decided = known(store, id);
    if (store.proposals.isOfRemoved(id)) throw exactError("proposal_decided", "scoutRemoved", {}, { data: { id } });
    if (!isInConflict(decided) && store.outbox.withdraw(id)) {
      takeAway(store, decided);
      return store.proposals.undecide(id);
    }
    return inNextRound(store, decided, nextFrameId);
  });
}

/** Why the cloud cannot open it again, where that is known. */
function whyHereAlone(store: DeviceStore, decided: StoredProposal): "removed" | "refused" | undefined {
  if (decided.status === "expired") return undefined;
  if (store.proposals.isOfRemoved(decided.id)) return "removed";
  return store.outbox.refusalOf(decided) === undefined ? undefined : "refused";
}

function takenBackHere(store: DeviceStore, decided: StoredProposal): StoredProposal {
  const { id } = decided;
  const isUnknown = store.outbox.refusalOf(decided) === "proposal_not_found";
  store.outbox.forgetRefused(id);
  const row = store.proposals.undecide(id);
  // The cloud has no such proposal: nobody would count the next decision either.
  if (!isUnknown || row.status !== "pending") return row;
  return store.proposals.close(id, { reason: "gone", round: row.round }) ?? row;
}

function known(store: DeviceStore, id: ProposalId): StoredProposal {
  const found = store.proposals.find(id);
  if (found === undefined) throw new DeviceError("proposal_unknown", { data: { id } });
  return found;
}

function inNextRound(store: DeviceStore, { id, round }: StoredProposal, nextFrameId: () => FrameId): StoredProposal {
  store.outbox.put({ type: "scout_proposal_reopen", id: nextFrameId(), proposalId: id, round }, { subject: id });
  return store.proposals.reopen(id);
}

/**
 * Takes back what the decision did, as an undo that the history knows; the person may have taken it away already. What
 * an earlier round made is still what the proposal has become, and comes back where it gave way. To be called within a
 * transaction.
 *
 * @throws DeviceError `change_superseded` when what it became has changed since
 */
export function takeAway(store: DeviceStore, row: StoredProposal): StoredProposal {
  const { id, resolvedEntityType: kind, resolvedEntityId: entityId, entityChange } = row;
  if (kind === null || entityId === null || entityChange === null) return row;
  if (store.work[kind].find(entityId) !== undefined) undoChange(store, kind, entityId, entityChange);
  const stays = store.work[kind].find(entityId)?.sourceSuggestionId === id;
  if (stays) return store.proposals.becomes(id, { type: kind, id: entityId, change: null });
  const gaveWay = store.entityChanges.find(entityChange + 1);
  if (gaveWay === undefined || !isGivenWay(gaveWay, id, entityId)) return store.proposals.becomes(id, null);
  const before = store.proposals.becomes(id, { type: gaveWay.kind, id: gaveWay.entityId, change: null });
  undoChange(store, gaveWay.kind, gaveWay.entityId, gaveWay.number);
  return before;
}

/**
 * Whether a change is the one by which an earlier round's entity gave way: the decision writes it right behind its own.
 * A person could not take that entity away later, as it is gone.
 */
function isGivenWay({ before, after, undoes, entityId }: EntityChange, from: ProposalId, made: string): boolean {
  if (after !== null || undoes !== null || entityId === made) return false;
  const was: unknown = typeof before === "object" && before !== null ? Reflect.get(before, "sourceSuggestionId") : null;
  return was === from;
}
