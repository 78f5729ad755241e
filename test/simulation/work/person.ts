import { isDeviceError } from "../../../device/errors.ts";
import { snoozeProposal } from "../../../device/proposals/snooze.ts";
import { undoableMs } from "../../../device/proposals/undoable.ts";
import { decideProposal, newFrameId, reopenProposal, undoDecision } from "../../../device/store/decide.ts";
import type { StoredProposal } from "../../../device/store/schema.ts";
import { addEntity, editEntity, removeEntity } from "../../../device/work/change-entities.ts";
import { approveInto, convertProposal, mergeIntoTask } from "../../../device/work/decide-into.ts";
import { type FrameId, type ProposalId, splitProposalId } from "../../../events/ids.ts";
import type { SimulatedDevice } from "../device.ts";
import { newId } from "../ids.ts";
import { canary } from "./invariants.ts";
import type { WorkWorld } from "./world.ts";

const mostSnoozedMs = 12 * 86_400_000;

/** What a person does on one of their devices, connected or not: by the use cases that every program of a device calls. */
export class Person {
  readonly #world: WorkWorld;
  readonly #device: SimulatedDevice;
  /** The frame of the last decision of each proposal. */
  readonly #said = new Map<string, string>();

  constructor(world: WorkWorld, device: SimulatedDevice) {
    this.#world = world;
    this.#device = device;
  }

  /** Whatever comes to mind about one of the proposals there. */
  act(): void {
    const { random } = this.#world.sim;
    const rows = this.#device.store.proposals.list();
    if (rows.length === 0) return;
    const row = random.pick(rows);
    const what = random.next();
    if (row.status === "pending") {
      if (what < 0.15) this.#snooze(row);
      else this.#decide(row);
    } else if (what < 0.3) this.#undo(row);
    else if (what < 0.55) this.#reopen(row);
    else if (what < 0.65) this.#changeEntity(row);
    else if (what < 0.8 && row.status === "approved") this.#convert(row);
    this.#acted();
  }

  #snooze({ id, round }: StoredProposal): void {
    const { sim, invariants } = this.#world;
    const untilMs = sim.random.chance(0.2) ? null : sim.nowMs + sim.random.int(1, mostSnoozedMs);
    this.#allowed(["value_invalid"], () => {
      snoozeProposal(this.#device.store, id, untilMs, { nowMs: sim.nowMs, zone: "UTC" });
      this.#trace(`snoozes ${id.slice(-3)}`);
      invariants.snoozes(this.#device, id, untilMs, round);
    });
  }

  #decide(row: StoredProposal): void {
    const { sim } = this.#world;
    const { store } = this.#device;
    const { id, round } = row;
    const notBefore = sim.nowMs + undoableMs;
    const kind = sim.random.next();
    this.#trace(`decides ${id.slice(-3)} in round ${round}`);
    if (kind < 0.35) {
      this.#world.beforeApproval(store, id);
      const times = { nowMs: sim.nowMs, notBefore };
      const draft = { note: `${canary} ${sim.random.int(1, 3)}` };
      const { entity, proposal } = approveInto(store, id, "task", draft, times, this.#nextFrameId(id));
      this.#became(proposal, "task", entity.id);
    } else if (kind < 0.45) this.#convert(row);
    else if (kind < 0.55) this.#merge(row);
    else {
      const isHeld = sim.random.chance(0.6);
      decideProposal(
        store,
        id,
        kind < 0.7 ? "approved" : "rejected",
        this.#nextFrameId(id),
        isHeld ? notBefore : undefined,
      );
    }
    // In time, too late, or at the very instant at which it is sent.
    if (sim.random.chance(0.35)) {
      const afterMs = sim.random.pick([sim.random.int(1, undoableMs), undoableMs, undoableMs + sim.random.int(0, 300)]);
      sim.after(afterMs, `${this.#device.name} undoes`, () => {
        const now = store.proposals.find(id);
        if (now && now.status !== "pending") this.#undo(now);
        this.#acted();
      });
    }
  }

  /** What is there already is taken up, and not of this decision; another kind of it gives way. */
  #became({ id, resolvedAt: decidedAt }: StoredProposal, kind: "task" | "note", entity: string): void {
    const { invariants } = this.#world;
    const was = invariants.hasNow(this.#device, id);
    if (was?.kind === kind && was.entity === entity) return;
    const before = was?.kind === "task" || was?.kind === "note" ? was : undefined;
    invariants.has(this.#device, id, { kind, entity, decidedAt, before });
  }

  /** Of what waits or is approved: a task, a note, or nothing. */
  #convert({ id, status, resolvedAt }: StoredProposal): void {
    const { store } = this.#device;
    const { sim, invariants } = this.#world;
    const kind = sim.random.pick(["task", "note", null] as const);
    const times = { nowMs: sim.nowMs, notBefore: sim.nowMs + undoableMs };
    const title = `${canary} ${sim.random.int(1, 3)}`;
    this.#allowed(["change_superseded"], () => {
      const { proposal, entity } = convertProposal(store, id, kind, { title }, times, this.#nextFrameId(id));
      this.#trace(`converts ${id.slice(-3)} to ${kind}`);
      const was = invariants.hasNow(this.#device, id);
      const isSame = was?.kind === kind && was.entity === entity?.id;
      if (status === "approved" && !isSame) this.#takenBack(id, resolvedAt);
      if (kind === null || entity === null) invariants.has(this.#device, id, undefined);
      else this.#became(proposal, kind, entity.id);
    });
  }

  #merge({ id, sourceMsgRef: ref }: StoredProposal): void {
    const { store } = this.#device;
    const { sim, invariants } = this.#world;
    const own = store.work.task.list().filter(({ sourceSuggestionId }) => sourceSuggestionId === null);
    const isNew = own.length === 0 || sim.random.chance(0.3);
    const task = isNew ? addEntity(store, "task", { title: canary }, sim.nowMs) : sim.random.pick(own);
    const times = { nowMs: sim.nowMs, notBefore: sim.nowMs + undoableMs };
    const { proposal } = mergeIntoTask(store, id, task.id, times, this.#nextFrameId(id));
    this.#trace(`merges ${id.slice(-3)}`);
    const was = invariants.hasNow(this.#device, id);
    const before = was?.kind === "task" || was?.kind === "note" ? was : undefined;
    const isAdded = !invariants.isMerged(this.#device, task.id, ref);
    const { resolvedAt: decidedAt } = proposal;
    invariants.has(this.#device, id, { kind: "merged", entity: task.id, decidedAt, before, isAdded });
    invariants.merged(this.#device, task.id, ref, true);
  }

  #undo(row: StoredProposal): void {
    const { store } = this.#device;
    const { id } = row;
    this.#allowed(["proposal_undecided", "change_superseded"], () => {
      const { by } = undoDecision(store, id, () => newFrameId(newId));
      const frame = this.#said.get(id);
      if (by === "withdrawn" && frame !== undefined) this.#world.invariants.withdrawn(frame);
      this.#trace(`undoes ${id.slice(-3)}: ${by}`);
      this.#isUndone(row);
    });
  }

  #isUndone({ id, resolvedAt }: StoredProposal): void {
    this.#takenBack(id, resolvedAt);
  }

  /** What this decision made goes with it; what was there before stays, or comes back. */
  #takenBack(id: ProposalId, resolvedAt: number | null): void {
    const { invariants } = this.#world;
    const made = invariants.hasNow(this.#device, id);
    if (made === undefined || made.decidedAt !== resolvedAt) return;
    const ref = splitProposalId(id).ref;
    if (made.kind === "merged" && made.isAdded) invariants.merged(this.#device, made.entity, ref, false);
    // Nothing was changed by it, so there is nothing that an undo could take back.
    const isNothing = made.kind === "merged" && !made.isAdded;
    invariants.has(this.#device, id, isNothing ? made : made.before);
  }

  #reopen(row: StoredProposal): void {
    const { store } = this.#device;
    const { id } = row;
    this.#allowed(["proposal_undecided", "change_superseded"], () => {
      const { round } = reopenProposal(store, id, () => newFrameId(newId));
      this.#trace(`reopens ${id.slice(-3)}`);
      // Withdrawn, because nobody had been told: then it is as an undo.
      if (round === row.round) this.#isUndone(row);
    });
  }

  #changeEntity({ id }: StoredProposal): void {
    const { store } = this.#device;
    const { sim, invariants } = this.#world;
    const made = invariants.hasNow(this.#device, id);
    if (made === undefined || made.kind === "gone") return;
    const { entity } = made;
    const kind = made.kind === "note" ? "note" : "task";
    if (sim.random.chance(0.5) && made.kind !== "merged") {
      removeEntity(store, kind, entity);
      invariants.has(this.#device, id, { ...made, kind: "gone" });
    } else editEntity(store, kind, entity, { title: `${canary} ${sim.random.int(1, 9)}` }, sim.nowMs);
  }

  #allowed(codes: readonly Parameters<typeof isDeviceError>[1][], act: () => void): void {
    try {
      act();
    } catch (error) {
      if (!codes.some((code) => isDeviceError(error, code))) throw error;
    }
  }

  /** Written by a command that has ended: the device's own process finds it within half a second. */
  #acted(): void {
    const { sim, invariants } = this.#world;
    invariants.ofEntities(this.#device);
    sim.after(sim.random.int(1, 500), `${this.#device.name} looks`, () => this.#device.look());
  }

  #nextFrameId(proposal: string): () => FrameId {
    return () => {
      const frame = newFrameId(newId);
      this.#said.set(proposal, frame);
      return frame;
    };
  }

  #trace(what: string): void {
    this.#world.sim.trace(`${this.#device.name} ${what}`);
  }
}
