import type { ProjectId } from "../../events/ids.ts";
import type { Priority } from "../../events/proposals/categorize.ts";
import type { StoredProposal } from "../store/schema.ts";
import type { Here } from "../work/dates/read-date.ts";
import type { OutcomeKind } from "../work/decide-into.ts";
import type { Draft } from "../work/entities.ts";
import { eventTimes, type SaidTimes } from "../work/events/event-times.ts";
import { taskDraft } from "../work/said-drafts.ts";
import { type DraftOutcome, draftOutcome, textForOther } from "./draft/draft-outcome.ts";

/** What a person says of what a proposal is to become; what is absent is as its draft has it. */
export interface SaidOutcome extends SaidTimes {
  readonly title?: string | undefined;
  /** A date as a person writes it; `none`, or nothing written, takes it away. */
  readonly due?: string | undefined;
  readonly priority?: Priority | undefined;
  readonly projectId?: ProjectId | null | undefined;
  readonly place?: string | undefined;
  readonly people?: readonly string[] | undefined;
  /** Of the task or the event its note, or the note itself. */
  readonly text?: string | undefined;
}

/**
 * What a proposal becomes: its own draft where that is of the same kind, with what is said in its place.
 *
 * @param kind none: that of its draft
 * @param own its draft, unless that is not to be taken
 * @returns undefined where nothing is made of it: it is only to be known
 * @throws DeviceError `date_invalid`, `value_invalid`
 */
export async function outcomeOf(
  kind: OutcomeKind | undefined,
  own: DraftOutcome | undefined,
  said: SaidOutcome,
  here: Here,
): Promise<DraftOutcome | undefined> {
  switch (kind ?? own?.kind) {
    case undefined:
      return undefined;
    case "task":
      return { kind: "task", draft: { ...(own?.kind === "task" && own.draft), ...(await taskSaid(said, here)) } };
    case "event":
      return { kind: "event", draft: await eventSaid(said, own?.kind === "event" ? own.draft : {}, here) };
    case "note":
      return {
        kind: "note",
        draft: { ...(own?.kind === "note" && own.draft), ...titled(said), ...texted(said, "markdown") },
      };
  }
}

/** The draft a person is shown, unless they want none of it. */
export const ownOutcome = (proposal: StoredProposal, isWanted = true): DraftOutcome | undefined =>
  isWanted ? draftOutcome(proposal) : undefined;

/** What a proposal says in something of another kind than its draft's; undefined where that says it, or nothing of it is wanted. */
export const otherText = (proposal: StoredProposal, kind: OutcomeKind, isWanted = true): string | undefined =>
  isWanted && draftOutcome(proposal)?.kind !== kind ? textForOther(proposal) : undefined;

const titled = ({ title }: SaidOutcome) => (title === undefined ? {} : { title });
const texted = <N extends "note" | "markdown">({ text }: SaidOutcome, name: N) =>
  text === undefined ? {} : { [name]: text };

const taskSaid = ({ title, due, priority, projectId, text }: SaidOutcome, here: Here): Promise<Draft<"task">> =>
  taskDraft({ title, due, priority, projectId, note: text }, here);

async function eventSaid(said: SaidOutcome, base: Draft<"event">, here: Here): Promise<Draft<"event">> {
  const { start, end, zone = null, isAllDay = false } = base;
  const before = start === undefined || end === undefined ? undefined : { start, end, zone, isAllDay };
  const times: SaidTimes = { start: said.start, end: said.end, zone: said.zone };
  const isMoved = Object.values(times).some((each) => each !== undefined);
  return {
    ...base,
    ...titled(said),
    ...(before === undefined || isMoved ? await eventTimes(times, here, before) : {}),
    ...(said.place === undefined ? {} : { place: said.place }),
    ...(said.people === undefined ? {} : { people: [...said.people] }),
    ...texted(said, "note"),
  };
}
