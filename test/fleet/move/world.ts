import type { SeededRandom } from "../../simulation/random.ts";

export type CellName = "old" | "new";

/** Where a move stands. Each step may be made again: who takes a move up repeats the one that was under way. */
export const steps = ["hold", "drain", "copy", "switch", "release", "erase", "done"] as const;
export type Step = (typeof steps)[number];

export interface Message {
  readonly ref: number;
  readonly sentAt: number;
  /** Handed out, and neither deleted nor given back. */
  inFlight: boolean;
}

export interface ScoutRow {
  readonly state: "atWork" | "held";
  /** Mail up to here is on the queue. */
  readonly cursor: number;
  readonly version: number;
}

/** What became of an item. `waiting` is to be queued again by the timer. */
export type ItemRow = "waiting" | "judged";

export interface CellRows {
  scout: ScoutRow | undefined;
  readonly items: Map<number, ItemRow>;
  readonly sync: Set<Message>;
  readonly triage: Set<Message>;
}

const emptyCell = (): CellRows => ({ scout: undefined, items: new Map(), sync: new Set(), triage: new Set() });

/** One person's rows and messages in two cells, their mailbox, and the directory that says where they are at home. */
export class World {
  readonly random: SeededRandom;
  readonly cells: Readonly<Record<CellName, CellRows>> = { old: emptyCell(), new: emptyCell() };
  readonly directory: { cell: CellName; step: Step; heldAt: number } = { cell: "old", step: "hold", heldAt: 0 };
  /** Mail in the mailbox, numbered from 1. */
  arrived = 0;
  /** How often each item was judged and shown, wherever. */
  readonly verdicts = new Map<number, number>();
  now = 0;

  constructor(random: SeededRandom) {
    this.random = random;
    this.cells.old.scout = { state: "atWork", cursor: 0, version: 1 };
  }

  send(queue: Set<Message>, ref: number): void {
    queue.add({ ref, sentAt: this.now, inFlight: false });
  }

  receive(queue: Set<Message>): Message | undefined {
    const visible = [...queue].filter(({ inFlight }) => !inFlight);
    if (visible.length === 0) return undefined;
    const message = this.random.pick(visible);
    message.inFlight = true;
    return message;
  }

  /** Items without a verdict where their person is at home, and items that were judged more than once. */
  balance(): { lost: number; twice: number } {
    const { items } = this.cells[this.directory.cell];
    let [lost, twice] = [0, 0];
    for (let ref = 1; ref <= this.arrived; ref += 1) {
      if (items.get(ref) !== "judged") lost += 1;
      if ((this.verdicts.get(ref) ?? 0) > 1) twice += 1;
    }
    return { lost, twice };
  }
}
