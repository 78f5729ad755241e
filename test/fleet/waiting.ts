/** So many items that came in the same second, and how often their work has failed. */
export interface Cohort {
  /** Second of the run in which their push arrived. */
  readonly origin: number;
  readonly count: number;
  readonly tries: number;
  /** Second in which it was queued, where that matters. */
  readonly queuedAt?: number;
}

/** Who came first goes first: a queue of cohorts, whose sizes are whole numbers, so that nothing is lost to rounding. */
export class Waiting {
  readonly #cohorts: Cohort[] = [];
  #head = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Where the oldest of them comes from; undefined when nobody waits. */
  get oldest(): number | undefined {
    return this.#cohorts[this.#head]?.origin;
  }

  push(cohort: Cohort): void {
    if (cohort.count <= 0) return;
    this.#size += cohort.count;
    const last = this.#cohorts.at(-1);
    const isThere = last !== undefined && this.#head < this.#cohorts.length;
    if (isThere && last.origin === cohort.origin && last.tries === cohort.tries && last.queuedAt === cohort.queuedAt)
      this.#cohorts[this.#cohorts.length - 1] = { ...last, count: last.count + cohort.count };
    else this.#cohorts.push(cohort);
  }

  /** Forgets those that were queued before: as a queue forgets what it has kept too long. */
  drop(before: number): void {
    for (let first = this.#cohorts[this.#head]; first !== undefined; first = this.#cohorts[this.#head]) {
      if ((first.queuedAt ?? before) >= before) return;
      this.#size -= first.count;
      this.#head += 1;
    }
  }

  /** The first `count` of them, or all there are. */
  take(count: number): Cohort[] {
    const taken: Cohort[] = [];
    let left = Math.min(Math.floor(count), this.#size);
    this.#size -= left;
    while (left > 0) {
      const first = this.#cohorts[this.#head];
      if (!first) break;
      const some = Math.min(left, first.count);
      taken.push({ ...first, count: some });
      left -= some;
      if (some === first.count) this.#head += 1;
      else this.#cohorts[this.#head] = { ...first, count: first.count - some };
    }
    if (this.#head > 1000 && this.#head * 2 > this.#cohorts.length) {
      this.#cohorts.splice(0, this.#head);
      this.#head = 0;
    }
    return taken;
  }
}

/** What comes back at a second of its own. */
export class Later {
  readonly #at = new Map<number, Cohort[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(second: number, cohort: Cohort): void {
    if (cohort.count <= 0) return;
    this.#size += cohort.count;
    const there = this.#at.get(second);
    if (there) there.push(cohort);
    else this.#at.set(second, [cohort]);
  }

  /** What comes back in this second. Every second has to be asked for. */
  due(second: number): readonly Cohort[] {
    const cohorts = this.#at.get(second);
    if (!cohorts) return [];
    this.#at.delete(second);
    for (const { count } of cohorts) this.#size -= count;
    return cohorts;
  }
}

/** Parts a list of cohorts after its first `count` items. */
export function split(cohorts: readonly Cohort[], count: number): { first: Cohort[]; rest: Cohort[] } {
  const first: Cohort[] = [];
  const rest: Cohort[] = [];
  let left = Math.max(0, Math.floor(count));
  for (const cohort of cohorts) {
    const some = Math.min(left, cohort.count);
    left -= some;
    if (some > 0) first.push({ ...cohort, count: some });
    if (some < cohort.count) rest.push({ ...cohort, count: cohort.count - some });
  }
  return { first, rest };
}

export const total = (cohorts: readonly Cohort[]): number => cohorts.reduce((sum, { count }) => sum + count, 0);

/** When somebody tries again who waits twice as long each time: as long again as it has been. */
export const nextTry = (second: number, { origin }: Cohort, least: number, most: number): number =>
  second + Math.min(Math.max(second - origin, least), most);
