import type { StoredProposal } from "../../../device/store/schema.ts";
import type { Task } from "../../../device/work/entities.ts";
import type { ServerFrame } from "../../../events/frames/frames.ts";
import { joinProposalId } from "../../../events/ids.ts";
import type { Item } from "../../../shared/ports/table.ts";
import { type ItemRow, isUnseen, parseItemRow } from "../../../shared/scouts/items/item-row.ts";
import type { SimulatedDevice } from "../device.ts";
import type { WorkWorld } from "./world.ts";

export const canary = "KANARIENVOGEL";
const hidden = [canary, Buffer.from(canary).toString("base64").slice(0, -3), Buffer.from(canary).toString("hex")];

/** Something a person has made of a proposal, and when they decided that. */
export interface Made {
  /** `merged`: a task of the person's own; `gone`: the person has taken it away. */
  readonly kind: "task" | "note" | "merged" | "gone";
  readonly entity: string;
  readonly decidedAt: number | null;
  /** What an earlier round made and this gave way to: an undo brings it back. */
  readonly before?: Made | undefined;
  /** It was added to the task by this decision, not by an earlier one. */
  readonly isAdded?: boolean;
}

/** What must hold of rounds at every step, and when everybody has heard of everything. */
export class RoundInvariants {
  readonly #world: WorkWorld;
  /** Which frame decided a round, of each proposal: `{ref} {round}`. */
  readonly #decidedBy = new Map<string, string>();
  readonly #counted = new Set<string>();
  /** Decisions that were taken back before anybody was told. */
  readonly #withdrawn = new Set<string>();
  /** What each device has of a proposal, by what its person did there: `{device} {proposal}`. */
  readonly #made = new Map<string, Made>();
  /** What was merged into a task of the person's own: `{device} {task} {ref}`. */
  readonly #merged = new Set<string>();
  /** Until when the person does not want to see a proposal, in which round: `{device} {proposal}`. */
  readonly #snoozed = new Map<string, { readonly untilMs: number; readonly round: number }>();

  constructor(world: WorkWorld) {
    this.#world = world;
  }

  /** The person has something on a device from now on, or nothing any more. */
  has(device: SimulatedDevice, proposal: string, made: Made | undefined): void {
    const key = `${device.deviceId} ${proposal}`;
    if (made === undefined) this.#made.delete(key);
    else this.#made.set(key, made);
  }

  hasNow(device: SimulatedDevice, proposal: string): Made | undefined {
    return this.#made.get(`${device.deviceId} ${proposal}`);
  }

  merged(device: SimulatedDevice, task: string, ref: string, isThere: boolean): void {
    const key = `${device.deviceId} ${task} ${ref}`;
    if (isThere) this.#merged.add(key);
    else this.#merged.delete(key);
  }

  isMerged(device: SimulatedDevice, task: string, ref: string): boolean {
    return this.#merged.has(`${device.deviceId} ${task} ${ref}`);
  }

  snoozes(device: SimulatedDevice, proposal: string, untilMs: number | null, round: number): void {
    const key = `${device.deviceId} ${proposal}`;
    if (untilMs === null) this.#snoozed.delete(key);
    else this.#snoozed.set(key, { untilMs, round });
  }

  /** A decision was taken back, and its device says that nobody was told of it. */
  withdrawn(frame: string): void {
    this.#withdrawn.add(frame);
    this.#neverCounts(frame);
  }

  #neverCounts(frame: string): void {
    if (this.#withdrawn.has(frame) && this.#counted.has(frame)) {
      this.#violate("what was withdrawn never counts", frame);
    }
  }

  holdsNoContent(where: string, what: unknown): void {
    const text = typeof what === "string" ? what : JSON.stringify(what ?? null);
    if (hidden.some((each) => text.includes(each))) this.#violate("P1 nothing readable at rest", where);
  }

  written(before: Item | undefined, after: Item | undefined): void {
    this.holdsNoContent("ledger", after);
    if (!after?.sk.startsWith("ITEM#")) return;
    const now = parseItemRow(after);
    const was = before && parseItemRow(before);
    if (now.status === "acked") this.#decided(now);
    if (was === undefined || was.round === now.round) return;
    const isEnded = was.status === "acked" || was.status === "expired";
    if (now.round !== was.round + 1 || !isEnded || now.status !== "queued") {
      this.#violate("rounds follow each other", `${was.status}, ${was.round} then ${now.status}, ${now.round}`);
    }
    if (Object.keys(now.on).length > 0) this.#violate("a round begins on no device", now.ref);
  }

  #decided({ ref, round, decidedBy: frame, outcome }: ItemRow): void {
    const decidedBy = frame ?? "nobody";
    const key = `${ref} ${round}`;
    const known = this.#decidedBy.get(key);
    if (outcome === undefined) this.#violate("a decision says its outcome", key);
    if (known !== undefined && known !== decidedBy) this.#violate("a round is decided once", key);
    this.#decidedBy.set(key, decidedBy);
    this.#counted.add(decidedBy);
    this.#neverCounts(decidedBy);
  }

  posted(frame: ServerFrame): void {
    if (frame.type !== "accepted" || frame.decision !== "counted") return;
    if (!this.#counted.has(frame.inReplyTo)) this.#violate("counted is what counts", frame.inReplyTo);
  }

  /** At every act of a person: what a proposal became is there as often as they made it, and known. */
  ofEntities(device: SimulatedDevice): void {
    const { task, note } = device.store.work;
    const tasks = task.list();
    const made = Map.groupBy([...tasks, ...note.list()], ({ sourceSuggestionId }) => sourceSuggestionId ?? "");
    const hidden = this.#hiddenOn(device);
    for (const row of device.store.proposals.list()) {
      const own = made.get(row.id) ?? [];
      const known = this.hasNow(device, row.id);
      const isOwn = known?.kind === "task" || known?.kind === "note";
      const where = `${row.id.slice(-3)} on ${device.name}`;
      if (own.length > 1) this.#violate("an entity is there once", where);
      if (own[0]?.id !== (isOwn ? known.entity : undefined))
        this.#violate("an entity is there as the person left it", `${where}: ${own[0]?.id}`);
      if (own[0] && row.resolvedEntityId !== own[0].id) this.#violate("a proposal knows its entity", where);
      this.#isHiddenAsWanted(device, row, hidden.has(row.id));
      for (const each of tasks) this.#saysOnce(device, each, row);
    }
  }

  #saysOnce(device: SimulatedDevice, task: Task, { sourceMsgRef }: StoredProposal): void {
    if (task.sourceSuggestionId !== null) return;
    const times = task.note.split("\n").filter((line) => line === `${canary} ${sourceMsgRef}`).length;
    const wanted = this.isMerged(device, task.id, sourceMsgRef) ? 1 : 0;
    if (times !== wanted) {
      this.#violate("what is merged is said once", `${sourceMsgRef} on ${device.name}: ${times}, not ${wanted}`);
    }
  }

  #hiddenOn({ store }: SimulatedDevice): ReadonlySet<string> {
    const snoozed = { atMs: this.#world.sim.nowMs, isWanted: true };
    return new Set(store.proposals.list({ statuses: ["pending"], snoozed }).map(({ id }) => id));
  }

  #isHiddenAsWanted(device: SimulatedDevice, { id, status, round }: StoredProposal, isHidden: boolean): void {
    const snoozed = this.#snoozed.get(`${device.deviceId} ${id}`);
    const isWanted = snoozed?.round === round && snoozed.untilMs > this.#world.sim.nowMs && status === "pending";
    if (isHidden !== isWanted)
      this.#violate("what is snoozed is hidden until its time", `${id.slice(-3)}: ${isHidden}`);
  }

  /** Everybody was connected for long, and nothing is under way. */
  atRest(): void {
    const { devices } = this.#world;
    const rows = this.#world.rows();
    for (const device of devices) {
      this.ofEntities(device);
      const { waiting, refused } = device.store.outbox.counts();
      if (waiting > 0 || refused > 0) this.#violate("everything is said", `${device.name}: ${waiting}, ${refused}`);
      if (device.store.damage() !== undefined) this.#violate("the store is sound", device.name);
      for (const row of rows) this.#agrees(device, row);
    }
  }

  #agrees(device: SimulatedDevice, row: ItemRow): void {
    const stored = device.store.proposals.find(joinProposalId(row.scoutId, row.ref));
    const where = `${row.ref} on ${device.name}`;
    if (stored === undefined) {
      // Who came after its end was never offered it, unless nobody was.
      const isOwed = row.status === "queued" || row.status === "delivered" || isUnseen(row);
      if (isOwed) this.#violate("nothing is lost", where);
      return;
    }
    const said = `${where}: ${stored.status} ${stored.round} ${stored.decidedElsewhere}, row ${row.status} ${row.round} ${row.outcome}`;
    // Here it has ended without a decision, which says nothing about those of others.
    if (stored.status === "expired" && stored.closedReason !== "resolved_elsewhere" && row.status === "acked") return;
    if (stored.round !== row.round) this.#violate("every device is in the same round", said);
    else if (!isOneTruth(stored, row)) this.#violate("never two silent truths", said);
  }

  #violate(rule: string, detail: string): void {
    this.#world.sim.violate(rule, detail);
  }
}

/** Whether a device shows what the cloud holds, or shows its person both. */
function isOneTruth({ status, decidedElsewhere, round }: StoredProposal, row: ItemRow): boolean {
  if (row.status === "queued" || row.status === "delivered") return status === "pending";
  if (row.status !== "acked") {
    // A round that nobody decided: what this device decided in an earlier one is not another decision.
    return status === "expired" || (round > 1 && (status === "approved" || status === "rejected"));
  }
  if (status === "pending") return false;
  return status === row.outcome || decidedElsewhere === row.outcome;
}
