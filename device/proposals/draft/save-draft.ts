import type { FrameId, ProposalId } from "../../../events/ids.ts";
import type { Category } from "../../../events/proposals/categorize.ts";
import { emptyDraft, type ProposalDraft } from "../../categorize/draft.ts";
import { DeviceError } from "../../errors.ts";
import type { DeviceStore } from "../../store/open.ts";
import type { StoredProposal } from "../../store/schema.ts";
import { decidedAlready } from "../../store/tables/proposals/decisions.ts";
import type { Here } from "../../work/dates/read-date.ts";
import { convertIntoProject, convertProposal, type DecisionTimes } from "../../work/decide-into.ts";
import { approveAs } from "../approve-as.ts";
import { type DraftForm, nameByForm, outcomeByForm } from "./draft-form.ts";
import type { DraftOutcome } from "./draft-outcome.ts";
import { draftRevision } from "./draft-revision.ts";

/** A form, and the revision of the draft it was filled in over. */
export interface FilledIn {
  readonly form: DraftForm;
  readonly seen: string;
}

/** Who has written a draft that no rule and no model has. */
const person = "person";

/**
 * Keeps a draft as a person has written it, undecided: nobody else reads or changes it from then on.
 *
 * @throws DeviceError `proposal_unknown`, `proposal_decided`, `draft_changed`, `date_invalid`, `value_invalid`,
 *   `project_unknown`
 */
export async function saveDraft(
  store: DeviceStore,
  id: ProposalId,
  { form, seen }: FilledIn,
  here: Here,
): Promise<StoredProposal> {
  const row = asSeen(store, id, seen);
  const outcome = await outcomeByForm(row, form, here);
  return store.transaction(() => {
    if (form.projectId !== null) store.projects.get(form.projectId);
    const draft = { ...(row.payload ?? emptyDraft), ...written(form, outcome), by: person };
    const result = { category: categoryOf(row, form), priority: form.priority, draft };
    if (store.proposals.redraft(id, row.payload, result) === undefined) throw new DeviceError("draft_changed");
    return store.proposals.assign(id, form.projectId);
  });
}

/** What a draft says of an outcome. */
function written({ title, text, projectId }: DraftForm, outcome: DraftOutcome | undefined): Partial<ProposalDraft> {
  const said = { title: title.trim().toWellFormed(), note: text.toWellFormed(), projectId };
  switch (outcome?.kind) {
    case "task":
      return { ...said, due: outcome.draft.due ?? null };
    case "event": {
      const { start = null, end = null, zone = null, isAllDay = false, place = "", people = [] } = outcome.draft;
      return { ...said, start, end, zone, isAllDay, place, people: [...people] };
    }
    default:
      return said;
  }
}

const known: readonly StoredProposal["category"][] = ["information", "automatic"];

function categoryOf({ category }: StoredProposal, { kind }: DraftForm): Category {
  if (kind === "nothing") return category !== "unprocessed" && known.includes(category) ? category : "actionable_only";
  // What is to be answered stays that: its note is the answer.
  return kind === "task" && category === "reply" ? "reply" : kind;
}

/** @throws DeviceError `proposal_unknown`, `proposal_decided`, `draft_changed` */
function asSeen(store: DeviceStore, id: ProposalId, seen: string): StoredProposal {
  const row = store.proposals.find(id);
  if (row === undefined) throw new DeviceError("proposal_unknown", { data: { id } });
  if (row.status !== "pending") throw decidedAlready(row);
  if (draftRevision(row) !== seen) throw new DeviceError("draft_changed");
  return row;
}

/**
 * Approves a proposal into what a form says of it.
 *
 * @throws DeviceError as {@link saveDraft}, and `project_exists`
 */
export async function approveByForm(
  store: DeviceStore,
  id: ProposalId,
  { form, seen }: FilledIn,
  here: Here,
  times: DecisionTimes,
  newFrame: () => FrameId,
): Promise<StoredProposal> {
  const outcome = await outcomeByForm(asSeen(store, id, seen), form, here);
  return store.transaction(() => {
    // Dates in words were read meanwhile.
    const { projectId } = asSeen(store, id, seen);
    if (form.kind === "project") return intoProject(store, id, form, times, newFrame);
    const markedNotBefore = times.notBefore;
    const { proposal } = approveAs(store, { id, outcome }, { ...times, markedNotBefore }, newFrame);
    return projectId === form.projectId ? proposal : store.proposals.assign(id, form.projectId);
  });
}

/**
 * Makes something else of what is approved already.
 *
 * @throws DeviceError as `convertProposal`; `proposal_undecided` of what is pending
 */
export async function convertByForm(
  store: DeviceStore,
  id: ProposalId,
  form: DraftForm,
  here: Here,
  times: DecisionTimes,
  newFrame: () => FrameId,
): Promise<StoredProposal> {
  const row = store.proposals.find(id);
  if (row?.status === "pending") throw new DeviceError("proposal_undecided", { data: { id } });
  if (row === undefined) throw new DeviceError("proposal_unknown", { data: { id } });
  const outcome = await outcomeByForm(row, form, here);
  if (form.kind === "project") return intoProject(store, id, form, times, newFrame);
  return convertProposal(store, id, outcome?.kind ?? null, outcome?.draft ?? {}, times, newFrame).proposal;
}

const intoProject = (
  store: DeviceStore,
  id: ProposalId,
  { title }: DraftForm,
  times: DecisionTimes,
  newFrame: () => FrameId,
): StoredProposal => nameByForm(() => convertIntoProject(store, id, title, times, newFrame).proposal);
