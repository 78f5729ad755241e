import type { ProjectId, ProposalId } from "../../../events/ids.ts";
import type { CloudApi } from "../../connect/cloud-api.ts";
import type { Device } from "../../connection/device.ts";
import { DeviceError } from "../../errors.ts";
import { approveAsDrafted, type ShownDraft } from "../../proposals/approve-as.ts";
import { type DraftForm, formOf } from "../../proposals/draft/draft-form.ts";
import type { TitleLanguage } from "../../proposals/draft/draft-outcome.ts";
import { draftRevision } from "../../proposals/draft/draft-revision.ts";
import { approveByForm, convertByForm, type FilledIn, saveDraft } from "../../proposals/draft/save-draft.ts";
import { type EachOf, eachOf } from "../../proposals/each-of.ts";
import { muteSenderOf } from "../../proposals/mute-sender-of.ts";
import { selectedProposals } from "../../proposals/selected.ts";
import { snoozeProposal } from "../../proposals/snooze.ts";
import { snoozeMoment, snoozeTimes } from "../../proposals/snooze-times.ts";
import { undoableMs } from "../../proposals/undoable.ts";
import { decideProposal, newFrameId, undoDecision } from "../../store/decide.ts";
import type { DeviceStore } from "../../store/open.ts";
import type { StoredProposal } from "../../store/schema.ts";
import { localTimeAt } from "../../work/dates/zone.ts";
import { mergeIntoTask } from "../../work/decide-into.ts";
import { openTasksLike } from "../../work/tasks/tasks-like.ts";
import type { EventLog } from "../news/event-log.ts";
import { toldError } from "../told.ts";
import { shownProposal } from "./shown.ts";

/** Tasks that are offered to merge into. */
const shownTasks = 20;
/** What may be chosen together of a conversation or a sender. */
const mostAlike = 1_500;

export interface InboxParts {
  readonly device: Pick<Device, "sendOutbox">;
  readonly store: DeviceStore;
  readonly api: CloudApi;
  readonly log: EventLog;
  readonly now: () => number;
  /** The IANA zone of the person. */
  readonly zone: () => string;
  readonly newId: () => string;
}

/** What a tab can do with proposals beside a plain decision. */
export type InboxUseCases = ReturnType<typeof inboxUseCases>;

/** The use cases of proposals, as the console offers them; every one says what it did to whoever follows the log. */
export function inboxUseCases({ device, store, api, log, now, zone, newId }: InboxParts) {
  const here = () => ({ nowMs: now(), zone: zone() });
  const newFrame = () => newFrameId(newId);
  const times = () => {
    const nowMs = now();
    return { nowMs, notBefore: nowMs + undoableMs, markedNotBefore: nowMs + undoableMs };
  };
  const changed = (row: StoredProposal) => {
    const proposal = shownProposal(row, here());
    log.add({ type: "proposal", proposal });
    return proposal;
  };
  const decided = (row: StoredProposal) => {
    device.sendOutbox();
    return { proposal: changed(row), undoableMs };
  };
  const each = ({ done, refused }: EachOf<StoredProposal>) => {
    device.sendOutbox();
    return {
      proposals: done.map((row) => changed(row)),
      refused: refused.map(({ id, error }) => ({ id, why: toldError(error) })),
      undoableMs,
    };
  };
  const known = (id: ProposalId) => {
    const found = store.proposals.find(id);
    if (found === undefined) throw new DeviceError("proposal_unknown", { data: { id } });
    return found;
  };

  return {
    /** Approves into what the draft says. @throws as `approveAsDrafted` */
    approve: (shown: ShownDraft) => decided(approveAsDrafted(store, shown, times(), newFrame).proposal),
    /** @throws DeviceError `proposal_unknown`, `proposal_decided` */
    reject: (id: ProposalId) => decided(decideProposal(store, id, "rejected", newFrame, times().notBefore)),

    /** What forms offer: where and when the person is, projects, times to snooze until. */
    choices() {
      const place = here();
      return {
        zone: place.zone,
        today: localTimeAt(place.nowMs, place.zone).slice(0, 10),
        projects: store.projects.list().map(({ id, name }) => ({ id, name })),
        snoozes: snoozeTimes(place),
      };
    },

    /** A proposal's draft as a form has it, and which one it is. @throws DeviceError `proposal_unknown` */
    draft(id: ProposalId, language: TitleLanguage) {
      const row = known(id);
      return { form: formOf(row, zone(), language), seen: draftRevision(row), status: row.status };
    },

    /** @throws as `saveDraft` */
    save: async (id: ProposalId, filled: FilledIn) => ({
      proposal: changed(await saveDraft(store, id, filled, here())),
    }),
    /** @throws as `approveByForm` */
    approveForm: async (id: ProposalId, filled: FilledIn) =>
      decided(await approveByForm(store, id, filled, here(), times(), newFrame)),
    /** @throws as `convertByForm` */
    convert: async (id: ProposalId, form: DraftForm) =>
      decided(await convertByForm(store, id, form, here(), times(), newFrame)),

    /** All that is pending of its conversation, or from its sender, newest first. @throws DeviceError `proposal_unknown` */
    alike(id: ProposalId, by: "thread" | "sender") {
      const row = known(id);
      const address = row.metadata?.sender.address ?? "";
      const isSender = by === "sender" && address !== "";
      const found = selectedProposals(store, { refs: [], ...(isSender ? { from: address } : { thread: id }) });
      const pending = found.filter(({ status }) => status === "pending").map((one) => one.id);
      return { ids: pending.slice(0, mostAlike), total: pending.length };
    },

    /** Those of some that wait for a decision still. */
    pending: (ids: readonly ProposalId[]) => ({
      ids: ids.filter((id) => store.proposals.find(id)?.status === "pending"),
    }),

    decideAll: (ids: readonly ProposalId[], outcome: "approved" | "rejected", language: TitleLanguage) =>
      each(
        eachOf(ids, (id) =>
          outcome === "approved"
            ? approveAsDrafted(store, { id, language }, times(), newFrame).proposal
            : decideProposal(store, id, "rejected", newFrame, times().notBefore),
        ),
      ),
    undoAll: (ids: readonly ProposalId[]) => each(eachOf(ids, (id) => undoDecision(store, id, newFrame).proposal)),

    /** @throws DeviceError `date_invalid` */
    async snooze(ids: readonly ProposalId[], until: number | string | null) {
      const untilMs = typeof until === "string" ? await snoozeMoment(until, here()) : until;
      return { ...each(eachOf(ids, (id) => snoozeProposal(store, id, untilMs, here()))), untilMs };
    },

    /** @throws DeviceError `project_unknown` */
    assign(ids: readonly ProposalId[], project: ProjectId | null) {
      if (project !== null) store.projects.get(project);
      return each(eachOf(ids, (id) => store.proposals.assign(id, project)));
    },

    /** @throws DeviceError `task_unknown` */
    merge: (ids: readonly ProposalId[], task: string) =>
      each(eachOf(ids, (id) => mergeIntoTask(store, id, task, times(), newFrame).proposal)),

    tasks: (words: string) => ({
      tasks: openTasksLike(store, words, shownTasks, here().zone).map(({ id, title, due }) => ({ id, title, due })),
    }),

    /** @throws as `muteSenderOf` */
    async mute(id: ProposalId, muted: boolean) {
      const { address, scouts } = await muteSenderOf(store, () => api, id, muted);
      log.add({ type: "scouts" });
      return { address, scouts: scouts.map(({ name }) => name) };
    },
  };
}
