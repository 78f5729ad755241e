import type { StoredProposal } from "../../../device/store/schema.ts";
import type { ServerFrame } from "../../../events/frames.ts";
import { joinProposalId } from "../../../events/ids.ts";
import type { Item } from "../../../shared/ports/table.ts";
import { type ItemRow, parseItemRow } from "../../../shared/scouts/items/item-row.ts";
import type { SimulatedDevice } from "../device.ts";
import type { WorkWorld } from "./world.ts";

export const canary = "KANARIENVOGEL";
const hidden = [canary, Buffer.from(canary).toString("base64").slice(0, -3), Buffer.from(canary).toString("hex")];

/** Something a person has made of a proposal, and when they decided that. */
export interface Made {
  readonly entity: string;
  readonly decidedAt: number | null;
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
    if (now.round !== was.round + 1 || was.status !== "acked" || now.status !== "queued") {
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
    const tasks = Map.groupBy(device.store.work.task.list(), ({ sourceSuggestionId }) => sourceSuggestionId ?? "");
    for (const row of device.store.proposals.list()) {
      const own = tasks.get(row.id) ?? [];
      const made = this.hasNow(device, row.id);
      const where = `${row.id.slice(-3)} on ${device.name}`;
      if (own.length > 1) this.#violate("an entity is there once", where);
      if (own[0]?.id !== made?.entity)
        this.#violate("an entity is there as the person left it", `${where}: ${own[0]?.id}`);
      if (own[0] && row.resolvedEntityId !== own[0].id) this.#violate("a proposal knows its entity", where);
    }
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
      // Who came after its end was never offered it.
      const isOpen = row.status === "queued" || row.status === "delivered";
      if (isOpen) this.#violate("nothing is lost", where);
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
