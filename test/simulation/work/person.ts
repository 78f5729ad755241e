import { isDeviceError } from "../../../device/errors.ts";
import { undoableMs } from "../../../device/proposals/undoable.ts";
import { decideProposal, newFrameId, reopenProposal, undoDecision } from "../../../device/store/decide.ts";
import type { StoredProposal } from "../../../device/store/schema.ts";
import { editEntity, removeEntity } from "../../../device/work/change-entities.ts";
import { approveInto } from "../../../device/work/decide-into.ts";
import type { FrameId } from "../../../events/ids.ts";
import type { SimulatedDevice } from "../device.ts";
import { newId } from "../ids.ts";
import { canary } from "./invariants.ts";
import type { WorkWorld } from "./world.ts";

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
    if (row.status === "pending") this.#decide(row);
    else if (what < 0.35) this.#undo(row);
    else if (what < 0.6) this.#reopen(row);
    else if (what < 0.7) this.#changeEntity(row);
    this.#acted();
  }

  #decide({ id, round }: StoredProposal): void {
    const { sim } = this.#world;
    const { store } = this.#device;
    const notBefore = sim.nowMs + undoableMs;
    const kind = sim.random.next();
    this.#trace(`decides ${id.slice(-3)} in round ${round}`);
    if (kind < 0.5) {
      this.#world.beforeApproval(store, id);
      const times = { nowMs: sim.nowMs, notBefore };
      const draft = { note: `${canary} ${sim.random.int(1, 3)}` };
      const { entity, proposal } = approveInto(store, id, "task", draft, times, this.#nextFrameId(id));
      const { invariants } = this.#world;
      // What is there already is taken up, and not of this decision.
      if (invariants.hasNow(this.#device, id)?.entity !== entity.id) {
        invariants.has(this.#device, id, { entity: entity.id, decidedAt: proposal.resolvedAt });
      }
    } else {
      const isHeld = sim.random.chance(0.6);
      decideProposal(
        store,
        id,
        kind < 0.65 ? "approved" : "rejected",
        this.#nextFrameId(id),
        isHeld ? notBefore : undefined,
      );
    }
    // In time, too late, or at the very instant at which it is sent.
    if (sim.random.chance(0.35)) {
      const afterMs = sim.random.pick([sim.random.int(1, undoableMs), undoableMs, undoableMs + sim.random.int(0, 300)]);
      sim.after(afterMs, `${this.#device.name} undoes`, () => {
        const row = store.proposals.find(id);
        if (row && row.status !== "pending") this.#undo(row);
        this.#acted();
      });
    }
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

  /** What this decision made goes with it; what was there before stays. */
  #isUndone({ id, resolvedAt }: StoredProposal): void {
    const { invariants } = this.#world;
    if (invariants.hasNow(this.#device, id)?.decidedAt === resolvedAt) invariants.has(this.#device, id, undefined);
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
    const entity = invariants.hasNow(this.#device, id)?.entity;
    if (entity === undefined) return;
    if (sim.random.chance(0.5)) {
      removeEntity(store, "task", entity);
      invariants.has(this.#device, id, undefined);
    } else editEntity(store, "task", entity, { title: `${canary} ${sim.random.int(1, 9)}` }, sim.nowMs);
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
