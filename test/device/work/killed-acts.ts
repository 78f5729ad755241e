import { snoozeProposal } from "../../../device/proposals/snooze.ts";
import { newFrameId, undoDecision } from "../../../device/store/decide.ts";
import type { DeviceStore } from "../../../device/store/open.ts";
import { systemTimeAndIds } from "../../../device/time-and-ids.ts";
import { approveInto, convertProposal, mergeIntoTask } from "../../../device/work/decide-into.ts";
import type { ProposalId } from "../../../events/ids.ts";

const nextFrameId = () => newFrameId(systemTimeAndIds.newId);
const hourMs = 3_600_000;

/** When a person decides; the cloud hears of nothing meanwhile. */
const times = () => ({ nowMs: Date.now(), notBefore: Date.now() + hourMs });

/** What a person does with a proposal in one command, by the use case that every program of a device calls. */
export const acts = {
  approve: (store: DeviceStore, id: ProposalId) => void approveInto(store, id, "task", {}, times(), nextFrameId),
  undo: (store: DeviceStore, id: ProposalId) => void undoDecision(store, id, nextFrameId),
  convert: (store: DeviceStore, id: ProposalId) => void convertProposal(store, id, "note", {}, times(), nextFrameId),
  merge(store: DeviceStore, id: ProposalId) {
    const [task] = store.work.task.list();
    if (task === undefined) throw new Error("There is no task to merge into");
    mergeIntoTask(store, id, task.id, times(), nextFrameId);
  },
  snooze: (store: DeviceStore, id: ProposalId) =>
    void snoozeProposal(store, id, Date.parse("2030-01-01T00:00:00Z"), { nowMs: Date.now(), zone: "UTC" }),
} as const;
export type Act = keyof typeof acts;

export const isAct = (name: string): name is Act => Object.hasOwn(acts, name);
