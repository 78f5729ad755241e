import type { Delivery } from "../engines/local-queue.ts";
import { peopleOf, personOf } from "./person.ts";

/** A person is at work for so long after their newest message. */
const atWorkMs = 60_000;

/**
 * Keeps the last free execution of a queue's worker for whoever has least under way, as long as several people are at
 * work. Lambda would start one more execution for a quiet person beside a busy one; one machine cannot, and taking turns
 * alone would have them wait for whatever the busy one has begun. A person alone is not held back.
 */
export class Headroom {
  readonly #now: () => number;
  readonly #underWay = new Map<string, number>();
  readonly #seenAtMs = new Map<string, number>();

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Whether a message of that group may have the last free execution. */
  mayTakeLast(group: string): boolean {
    const person = personOf(group);
    const own = this.#underWay.get(person) ?? 0;
    if (own === 0) return true;
    const sinceMs = this.#now() - atWorkMs;
    for (const [other, seenAtMs] of this.#seenAtMs) {
      if (seenAtMs < sinceMs) this.#seenAtMs.delete(other);
      else if (other !== person && (this.#underWay.get(other) ?? 0) < own) return false;
    }
    return true;
  }

  /** Whether the worker is at work for somebody else. */
  isShared(deliveries: readonly Delivery[]): boolean {
    const own = new Set(peopleOf(deliveries));
    return [...this.#underWay.keys()].some((person) => !own.has(person));
  }

  begin(deliveries: readonly Delivery[]): void {
    const nowMs = this.#now();
    for (const person of peopleOf(deliveries)) {
      this.#seenAtMs.set(person, nowMs);
      this.#underWay.set(person, (this.#underWay.get(person) ?? 0) + 1);
    }
  }

  end(deliveries: readonly Delivery[]): void {
    for (const person of peopleOf(deliveries)) {
      const left = (this.#underWay.get(person) ?? 0) - 1;
      if (left > 0) this.#underWay.set(person, left);
      else this.#underWay.delete(person);
    }
  }
}
