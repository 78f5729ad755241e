import { compactGroups } from "./compact-groups.ts";

/** Lines `[oldStart, oldEnd)` of the old text became `[newStart, newEnd)` of the new one. 0-based. */
export interface LineChange {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

export interface LineDiffOptions {
  /** Asked now and then; once it says true, what is left is taken as replaced as a whole. */
  readonly isOverdue?: () => boolean;
}

/** Steps of the search between two looks at the clock. */
const stepsBetweenLooks = 4_096;

/**
 * The smallest set of changed lines (E. Myers, "An O(ND) Difference Algorithm and Its Variations", 1986, section 4b, in
 * linear space), with runs moved to where a person would put them.
 */
export function lineChanges(
  before: readonly string[],
  after: readonly string[],
  options: LineDiffOptions = {},
): LineChange[] {
  const ids = new Map<string, number>();
  const idOf = (line: string) => {
    const known = ids.get(line);
    if (known !== undefined) return known;
    ids.set(line, ids.size);
    return ids.size - 1;
  };
  const [a, b] = [Int32Array.from(before, idOf), Int32Array.from(after, idOf)];
  const [aShared, bShared] = [sharedPlaces(a, b, ids.size), sharedPlaces(b, a, ids.size)];
  const at = (lines: Int32Array, places: Int32Array) => places.map((place) => lines[place] ?? 0);
  const search = new Search(at(a, aShared), at(b, bShared), options.isOverdue);
  search.run();
  const [aChanged, bChanged] = [spread(search.aChanged, aShared, a), spread(search.bChanged, bShared, b)];
  compactGroups(a, aChanged, bChanged);
  compactGroups(b, bChanged, aChanged);
  return changesOf(aChanged, bChanged);
}

/**
 * Places of the lines that are on the other side as well. A line that is on one side alone has changed whatever else has; left
 * in the search, a text that is written anew would take it the square of its lines (xdiff, `xdl_cleanup_records`).
 */
function sharedPlaces(lines: Int32Array, others: Int32Array, ids: number): Int32Array {
  const isThere = new Uint8Array(ids);
  for (const id of others) isThere[id] = 1;
  const places = new Int32Array(lines.length);
  let count = 0;
  for (const [place, id] of lines.entries()) if (isThere[id] === 1) places[count++] = place;
  return places.subarray(0, count);
}

/** What the search has found, among all lines. */
function spread(changed: Uint8Array, places: Int32Array, lines: Int32Array): Uint8Array {
  const all = new Uint8Array(lines.length).fill(1);
  for (const [index, place] of places.entries()) all[place] = changed[index] ?? 1;
  return all;
}

class Search {
  readonly a: Int32Array;
  readonly b: Int32Array;
  readonly aChanged: Uint8Array;
  readonly bChanged: Uint8Array;
  readonly #isOverdue: (() => boolean) | undefined;
  readonly #forward: Int32Array;
  readonly #backward: Int32Array;
  readonly #offset: number;
  #steps = 0;
  #overdue = false;

  constructor(a: Int32Array, b: Int32Array, isOverdue: (() => boolean) | undefined) {
    this.a = a;
    this.b = b;
    this.aChanged = new Uint8Array(a.length);
    this.bChanged = new Uint8Array(b.length);
    this.#isOverdue = isOverdue;
    this.#offset = a.length + b.length + 1;
    this.#forward = new Int32Array(2 * this.#offset + 1);
    this.#backward = new Int32Array(2 * this.#offset + 1);
  }

  run(): void {
    const pending = [[0, this.a.length, 0, this.b.length]];
    for (let box = pending.pop(); box !== undefined; box = pending.pop()) {
      let [aStart = 0, aEnd = 0, bStart = 0, bEnd = 0] = box;
      while (aStart < aEnd && bStart < bEnd && this.a[aStart] === this.b[bStart]) {
        aStart++;
        bStart++;
      }
      while (aStart < aEnd && bStart < bEnd && this.a[aEnd - 1] === this.b[bEnd - 1]) {
        aEnd--;
        bEnd--;
      }
      const middle = aStart < aEnd && bStart < bEnd ? this.#middle(aStart, aEnd, bStart, bEnd) : undefined;
      if (middle === undefined) {
        this.aChanged.fill(1, aStart, aEnd);
        this.bChanged.fill(1, bStart, bEnd);
      } else {
        pending.push([aStart, middle.a, bStart, middle.b], [middle.a, aEnd, middle.b, bEnd]);
      }
    }
  }

  /** A point on a shortest path through the box, found from both ends at once; undefined when time is up. */
  #middle(aStart: number, aEnd: number, bStart: number, bEnd: number): { a: number; b: number } | undefined {
    const { a, b } = this;
    const forward = this.#forward;
    const backward = this.#backward;
    const length = aEnd - aStart;
    const width = bEnd - bStart;
    const delta = length - width;
    const isOdd = delta % 2 !== 0;
    const o = this.#offset;
    const most = Math.ceil((length + width) / 2);
    forward[o + 1] = 0;
    backward[o + 1] = 0;
    for (let d = 0; d <= most; d++) {
      if (this.#isLate(d)) return undefined;
      for (let k = -d; k <= d; k += 2) {
        const down = k === -d || (k !== d && (forward[o + k - 1] ?? 0) < (forward[o + k + 1] ?? 0));
        let x = down ? (forward[o + k + 1] ?? 0) : (forward[o + k - 1] ?? 0) + 1;
        while (x < length && x - k < width && a[aStart + x] === b[bStart + x - k]) x++;
        forward[o + k] = x;
        const reverse = delta - k;
        if (isOdd && Math.abs(reverse) < d && x + (backward[o + reverse] ?? 0) >= length) {
          return { a: aStart + Math.min(x, length), b: bStart + Math.min(x - k, width) };
        }
      }
      for (let k = -d; k <= d; k += 2) {
        const down = k === -d || (k !== d && (backward[o + k - 1] ?? 0) < (backward[o + k + 1] ?? 0));
        let x = down ? (backward[o + k + 1] ?? 0) : (backward[o + k - 1] ?? 0) + 1;
        while (x < length && x - k < width && a[aEnd - x - 1] === b[bEnd - (x - k) - 1]) x++;
        backward[o + k] = x;
        const reverse = delta - k;
        if (!isOdd && Math.abs(reverse) <= d && x + (forward[o + reverse] ?? 0) >= length) {
          return { a: aEnd - Math.min(x, length), b: bEnd - Math.min(x - k, width) };
        }
      }
    }
    return undefined;
  }

  #isLate(steps: number): boolean {
    this.#steps += steps;
    if (this.#steps < stepsBetweenLooks) return this.#overdue;
    this.#steps = 0;
    this.#overdue ||= this.#isOverdue?.() === true;
    return this.#overdue;
  }
}

function changesOf(aChanged: Uint8Array, bChanged: Uint8Array): LineChange[] {
  const changes: LineChange[] = [];
  let a = 0;
  let b = 0;
  while (a < aChanged.length || b < bChanged.length) {
    const [oldStart, newStart] = [a, b];
    while (aChanged[a] === 1) a++;
    while (bChanged[b] === 1) b++;
    if (a > oldStart || b > newStart) changes.push({ oldStart, oldEnd: a, newStart, newEnd: b });
    else {
      a++;
      b++;
    }
  }
  return changes;
}
