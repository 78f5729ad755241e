import * as z from "zod";
import type { FrameId, ProposalId } from "../../events/ids.ts";
import { addProject, projectNameAfter } from "../projects/change-projects.ts";
import { decideProposal, takeAway } from "../store/decide.ts";
import type { Project } from "../store/folder-schema.ts";
import type { DeviceStore } from "../store/open.ts";
import type { StoredProposal } from "../store/schema.ts";
import { addEntity, editEntity, existing, removeEntity } from "./change-entities.ts";
import type { Draft, EntityKind, EntityTypes } from "./entities.ts";
import { isNewer } from "./interchange/revisions.ts";
import { eventKey } from "./recurrence/time-of-series.ts";

/** What a proposal can become by a person's decision. */
export const outcomeKinds = ["task", "event", "note"] as const satisfies readonly EntityKind[];
export type OutcomeKind = (typeof outcomeKinds)[number];

/** When something is decided, and how long it can be taken back. */
export interface DecisionTimes {
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  /** The cloud is not told before this: until then decision and entity can be undone. */
  readonly notBefore: number;
}

/**
 * Approves a proposal and makes of it what the person says: decision, entity, its history and the frame for the cloud are
 * one transaction, so that a process that is killed leaves all of it or nothing. `undoDecision` takes both back.
 *
 * @throws DeviceError `proposal_unknown`, `proposal_decided`, `value_invalid`, `project_unknown`
 */
export function approveInto<K extends OutcomeKind>(
  store: DeviceStore,
  id: ProposalId,
  kind: K,
  draft: Draft<K>,
  { nowMs, notBefore }: DecisionTimes,
  nextFrameId: () => FrameId,
): { readonly proposal: StoredProposal; readonly entity: EntityTypes[K] } {
  return store.transaction(() => {
    const decided = decideProposal(store, id, "approved", nextFrameId, notBefore);
    return becomeEntity(store, decided, kind, draft, nowMs);
  });
}

/**
 * Makes of a proposal what the person says. What it became in an earlier round and is still there is taken up, so that it
 * is there once; it gives way to something of another kind. To be called within a transaction.
 *
 * @throws DeviceError `value_invalid`, `project_unknown`
 */
function becomeEntity<K extends OutcomeKind>(
  store: DeviceStore,
  proposal: StoredProposal,
  kind: K,
  draft: Draft<K>,
  nowMs: number,
): { readonly proposal: StoredProposal; readonly entity: EntityTypes[K] } {
  const { id } = proposal;
  const old = ownOf(store, proposal);
  const isTakenUp = old?.kind === kind;
  const named = isTakenUp ? { id: old.id, isOutdated: false } : eventNamed(store, kind, draft);
  const before = named === undefined ? null : lastChange(store, named.id);
  const entity =
    named !== undefined
      ? named.isOutdated
        ? existing(store, kind, named.id)
        : editEntity(store, kind, named.id, draft, nowMs)
      : addEntity(store, kind, { title: titleOf(proposal), ...projectOf(store, proposal, kind), ...draft }, nowMs, id);
  const last = lastChange(store, entity.id);
  const change = last === before ? null : last;
  // Behind the change it gives way to: an undo of the decision finds it there.
  if (old !== undefined && !isTakenUp) removeEntity(store, old.kind, old.id);
  return { proposal: store.proposals.becomes(id, { type: kind, id: entity.id, change }), entity };
}

/** What a proposal has become, where it is there. A task it was only added to is the person's own, and not meant. */
function ownOf(
  store: DeviceStore,
  { id, resolvedEntityType: kind, resolvedEntityId: entityId }: StoredProposal,
): { readonly kind: EntityKind; readonly id: string } | undefined {
  if (kind === null || entityId === null) return undefined;
  return store.work[kind].find(entityId)?.sourceSuggestionId === id ? { kind, id: entityId } : undefined;
}

const invitation = z.object({
  uid: z.string(),
  recurrenceId: z.string().default(""),
  zone: z.string().nullable().default(null),
  sequence: z.int().default(0),
  stampedAt: z.int().nullable().default(null),
  status: z.enum(["confirmed", "tentative", "cancelled"]).default("confirmed"),
});

/**
 * The event an invitation is about, where it is there already: an update changes it, and a cancellation cancels it; what is
 * older than that changes nothing.
 */
function eventNamed(store: DeviceStore, kind: OutcomeKind, draft: object) {
  const { data } = invitation.safeParse(draft);
  if (kind !== "event" || data === undefined) return undefined;
  const key = eventKey(data);
  const there = store.workLookups.eventsOf(data.uid).find((each) => eventKey(each) === key);
  return there === undefined ? undefined : { id: there.id, isOutdated: !isNewer(data, there) };
}

/** A task is of the project its proposal was put into. */
function projectOf(store: DeviceStore, { projectId }: StoredProposal, kind: OutcomeKind): Draft<"task"> {
  if (kind !== "task" || projectId === null || store.projects.find(projectId) === undefined) return {};
  return { projectId };
}

/**
 * Makes something else of a proposal: what is pending is approved into it, of what is approved the entity gives way. The
 * cloud hears "approved" once, whatever it becomes.
 *
 * @param kind null: it is approved, and nothing is made of it
 * @throws DeviceError as {@link approveInto}; `proposal_decided` when it was rejected or closed, `change_superseded` when
 *   what it had become has changed since
 */
export function convertProposal<K extends OutcomeKind>(
  store: DeviceStore,
  id: ProposalId,
  kind: K | null,
  draft: Draft<K>,
  { nowMs, notBefore }: DecisionTimes,
  nextFrameId: () => FrameId,
): { readonly proposal: StoredProposal; readonly entity: EntityTypes[K] | null } {
  return store.transaction(() => {
    const row = store.proposals.find(id);
    const approved = row?.status === "approved" ? row : decideProposal(store, id, "approved", nextFrameId, notBefore);
    const old = ownOf(store, approved);
    if (old !== undefined && old.kind === kind && approved.entityChange !== null) {
      // It is that already, by this decision: to say more of it is a change like any other.
      return { proposal: approved, entity: editEntity(store, kind, old.id, draft, nowMs) };
    }
    const before = takeAway(store, approved);
    if (kind !== null) return becomeEntity(store, before, kind, draft, nowMs);
    const left = ownOf(store, before);
    if (left !== undefined) removeEntity(store, left.kind, left.id);
    return { proposal: store.proposals.becomes(id, null), entity: null };
  });
}

/**
 * Approves a proposal as the beginning of a project, and puts it into that. Undoing the decision leaves the project.
 *
 * @param name its subject unless another is said
 * @throws DeviceError as {@link convertProposal} and {@link addProject}
 */
export function convertIntoProject(
  store: DeviceStore,
  id: ProposalId,
  name: string | undefined,
  times: DecisionTimes,
  nextFrameId: () => FrameId,
): { readonly proposal: StoredProposal; readonly project: Project } {
  return store.transaction(() => {
    const { proposal } = convertProposal(store, id, null, {}, times, nextFrameId);
    const project = addProject(store, name ?? projectNameAfter(titleOf(proposal)));
    return { proposal: store.proposals.assign(id, project.id), project };
  });
}

/**
 * Approves a proposal into a task that is there: its note gets what the proposal is about. Undo takes that out again.
 *
 * @throws DeviceError `proposal_unknown`, `proposal_decided`, `task_unknown`, `value_invalid`
 */
export function mergeIntoTask(
  store: DeviceStore,
  id: ProposalId,
  taskId: string,
  { nowMs, notBefore }: DecisionTimes,
  nextFrameId: () => FrameId,
): { readonly proposal: StoredProposal; readonly entity: EntityTypes["task"] } {
  return store.transaction(() => {
    const decided = decideProposal(store, id, "approved", nextFrameId, notBefore);
    const { note } = existing(store, "task", taskId);
    const { sender, sourceLink } = decided.metadata ?? {};
    const from = [sender?.name, sender?.address].filter((each) => each !== undefined && each !== "").join(", ");
    const said = [titleOf(decided), from, sourceLink ?? ""].filter((each) => each !== "").join("\n");
    const before = lastChange(store, taskId);
    // It may have been added in an earlier round.
    const isSaid = `\n${note}\n`.includes(`\n${said}\n`);
    const more = isSaid ? note : note === "" ? said : `${note}\n\n${said}`;
    const entity = editEntity(store, "task", taskId, { note: more }, nowMs);
    const last = lastChange(store, taskId);
    const change = last === before ? null : last;
    const old = ownOf(store, decided);
    if (old !== undefined && old.id !== taskId) removeEntity(store, old.kind, old.id);
    return { proposal: store.proposals.becomes(id, { type: "task", id: taskId, change }), entity };
  });
}

const lastChange = (store: DeviceStore, entityId: string): number | null =>
  store.entityChanges.of(entityId).at(-1)?.number ?? null;

const mostTitle = 200;

/** A proposal's subject, in one line; its ref where it has none. */
function titleOf({ rawSubject, sourceMsgRef }: StoredProposal): string {
  const line = (rawSubject ?? "").replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
  return line === "" ? sourceMsgRef : line.slice(0, mostTitle);
}
