import type { Delivery } from "../engines/local-queue.ts";
import { peopleOf } from "./person.ts";

/** What somebody has begun counts half after so long. */
const halfLifeMs = 30_000;
/** A person is quiet beside another who has begun so many times as much. */
const timesAsMuch = 4;
/** Above this many remembered people, those who have begun next to nothing lately are forgotten. */
const rememberedPeople = 1000;

interface Use {
  messages: number;
  atMs: number;
}

/**
 * One for a home: a busy person's next batch waits a moment while a batch of somebody much quieter is under way, in whatever
 * queue. Executions of their own do not help a quiet person where all share two cores and one store: what a backlog
 * keeps busy, they wait for. A person alone, and people who ask about as much, never wait for each other.
 */
export class GivingWay {
  /** Longest that one batch gives way: some batches a second go on beside any number of quiet people. */
  readonly longestMs = 100;
  readonly #now: () => number;
  /** Messages begun lately, by person. */
  readonly #used = new Map<string, Use>();
  readonly #underWay = new Map<string, number>();
  readonly #listeners = new Set<() => void>();

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Calls back whenever a batch has ended. */
  onEnd(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Whether somebody much quieter than this person has a batch under way. */
  isDue(person: string): boolean {
    const own = this.#lately(person);
    for (const other of this.#underWay.keys()) {
      if (other !== person && this.#lately(other) * timesAsMuch < own) return true;
    }
    return false;
  }

  begin(deliveries: readonly Delivery[]): void {
    for (const person of peopleOf(deliveries)) {
      this.#used.set(person, { messages: this.#lately(person) + 1, atMs: this.#now() });
      this.#underWay.set(person, (this.#underWay.get(person) ?? 0) + 1);
    }
    this.#forget();
  }

  end(deliveries: readonly Delivery[]): void {
    for (const person of peopleOf(deliveries)) {
      const left = (this.#underWay.get(person) ?? 0) - 1;
      if (left > 0) this.#underWay.set(person, left);
      else this.#underWay.delete(person);
    }
    for (const listener of this.#listeners) listener();
  }

  #forget(): void {
    if (this.#used.size <= rememberedPeople) return;
    for (const person of this.#used.keys()) if (this.#lately(person) < 1 / timesAsMuch) this.#used.delete(person);
  }

  #lately(person: string): number {
    const use = this.#used.get(person);
    return use ? use.messages * 0.5 ** ((this.#now() - use.atMs) / halfLifeMs) : 0;
  }
}
