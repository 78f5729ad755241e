import { dollarsFor } from "../cost/prices.ts";
import type { Cell } from "./cell.ts";
import type { Values } from "./figures.ts";

export interface CellMove {
  /** Which cell, counted from 0. */
  readonly cell: number;
  /** Second of the day in which the first people are held. */
  readonly atSecond: number;
  /** People are moved in so many waves; 0: nobody is moved, the same four hours are looked at. */
  readonly waves: number;
  /** In which wave, counted from 0, whoever moves the people dies after they were held. */
  readonly killedInWave?: number;
}

const lookedAtSeconds = 4 * 3_600;
/** How old the copy is that is made beforehand: rows of so many days' mail are copied while people are held. */
const staleDays = 1;

/**
 * A cell is given up: its people go to a new one, a wave at a time, by the steps of `move/`. Their rows were copied before;
 * a wave is held until what is queued of it is judged, what has changed since is copied, and the directory is written.
 */
export class MoveOfCell {
  readonly to: Cell;
  readonly #from: Cell;
  readonly #move: CellMove;
  readonly #values: Values;
  readonly #perWave: number;
  #wave = 0;
  #heldAt: number | undefined;
  #copiedAt: number | undefined;
  #endedAt: number | undefined;
  #longestHold = 0;

  constructor(move: CellMove, from: Cell, to: Cell, values: Values) {
    this.#move = move;
    this.#from = from;
    this.to = to;
    this.#values = values;
    this.#perWave = move.waves === 0 ? 0 : Math.ceil(from.people / move.waves);
    if (move.waves === 0) this.#endedAt = move.atSecond + lookedAtSeconds;
  }

  isUnderWay(second: number): boolean {
    return second >= this.#move.atSecond && second <= (this.#endedAt ?? Number.POSITIVE_INFINITY);
  }

  step(second: number): void {
    this.to.step(second);
    if (second < this.#move.atSecond || this.#endedAt !== undefined) return;
    if (this.#heldAt === undefined) this.#hold(second);
    else if (this.#copiedAt === undefined) this.#drain(second, this.#heldAt);
    else if (second >= this.#copiedAt) this.#switch(second, this.#heldAt);
  }

  report() {
    return {
      atSecond: this.#move.atSecond,
      waves: this.#wave,
      endedAt: this.#endedAt,
      longestHoldSeconds: this.#longestHold,
      moved: this.to.people,
      left: this.#from.people + this.#from.heldPeople,
    };
  }

  #hold(second: number): void {
    this.#from.hold(Math.min(this.#perWave, this.#from.people));
    this.#heldAt = second;
  }

  /** Everything queued is younger than the hold, as the metric says it, which is a minute late; one that died is replaced first. */
  #drain(second: number, heldAt: number): void {
    const { copiedASecond, metricSeconds, leaseSeconds, workerSeconds, mailsADay } = this.#values;
    const died = this.#wave === this.#move.killedInWave ? leaseSeconds : 0;
    // A look that had begun may queue until its worker's time is up.
    if (second < heldAt + workerSeconds + died) return;
    if ((this.#from.oldestQueued ?? second) <= heldAt || (second - heldAt) % metricSeconds !== 0) return;
    const rows = this.#from.heldPeople * mailsADay * staleDays;
    this.#copiedAt = second + Math.ceil(rows / copiedASecond);
  }

  #switch(second: number, heldAt: number): void {
    const people = this.#from.heldPeople;
    this.to.adopt(people, this.#from.release());
    this.#longestHold = Math.max(this.#longestHold, second - heldAt);
    this.#wave += 1;
    this.#heldAt = undefined;
    this.#copiedAt = undefined;
    if (this.#from.people === 0) this.#endedAt = second;
  }
}

/** What is copied beforehand of so many people, while they notice nothing: their rows, the hours it takes, dollars. */
export function copyBeforehand(people: number, values: Values) {
  const { mailsADay, itemRowDays, runRowDays, copiedASecond } = values;
  // An item is a row, and so is the run that found it.
  const rows = people * mailsADay * (itemRowDays + runRowDays);
  const dollars = dollarsFor({ "dynamodb:GetItem": rows, "dynamodb:PutItem": rows });
  return { rows, hours: rows / copiedASecond / 3_600, dollars };
}
