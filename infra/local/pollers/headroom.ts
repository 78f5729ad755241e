import type { Delivery } from "../engines/local-queue.ts";

/** A person is at work for so long after their newest message. */
const atWorkMs = 60_000;

/** Whose message it is: the first part of its group (`usr_…` on standard queues, `usr_….sct_…` on Sync). */
export function personOf(group: string): string {
  const end = group.indexOf(".");
  return end < 0 ? group : group.slice(0, end);
}

/**
 * Keeps the last free execution of a queue's worker for whoever has least under way, as long as several people are at
 * work. Lambda would start one more execution for a quiet person beside a busy one; one machine cannot, and taking turns
 * alone would have them wait for whatever the busy one has begun. A person alone is not held back.
 */
export class Headroom {
  readonly #now: () => number;
  readonly #underWay = new Map<string, number>();
  readonly #seenAtMs = new Map<string, number>();

  constructor(now: () => number = Date.now) {
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

  begin(deliveries: readonly Delivery[]): void {
    const nowMs = this.#now();
    for (const person of people(deliveries)) {
      this.#seenAtMs.set(person, nowMs);
      this.#underWay.set(person, (this.#underWay.get(person) ?? 0) + 1);
    }
  }

  end(deliveries: readonly Delivery[]): void {
    for (const person of people(deliveries)) {
      const left = (this.#underWay.get(person) ?? 0) - 1;
      if (left > 0) this.#underWay.set(person, left);
      else this.#underWay.delete(person);
    }
  }
}

/** One for each message. */
function people(deliveries: readonly Delivery[]): string[] {
  return deliveries.map(({ message }) => personOf(message.messageGroupId ?? ""));
}
