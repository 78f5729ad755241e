import { createHash } from "node:crypto";

/** A line, or a piece of one, as it is given to a model. */
export interface LinePart {
  /** SHA-256 of the file the line is in. */
  readonly hash: string;
  /** 1-based. */
  readonly line: number;
  /** Where in the line the piece begins, in characters. */
  readonly from?: number;
  /** Without its ending. */
  readonly text: string;
}

/** A longer line counts as several, so that a file of one line is no way around. */
export const charsPerLine = 200;
const keptVersions = 8;

interface Given {
  readonly places: Set<string>;
  /** At how many places each text was given. */
  readonly counts: Map<string, number>;
}

/**
 * What one session has been given of one file, in lines. A line that was given before is free, also when an edit has moved
 * it; what counts is, for each text, the largest number of places at which any one version was shown to have it.
 */
export class DisclosedLines {
  readonly #versions = new Map<string, Given>();
  readonly #most = new Map<string, number>();
  #spent = 0;
  #shares = 1;

  get spent(): number {
    return this.#spent;
  }

  /** How many lines are left of shares of `share` lines. */
  left(share: number): number {
    return this.#shares * share - this.#spent;
  }

  /** How many of these lines the session has not been given yet. */
  cost(parts: readonly LinePart[]): number {
    const places = new Set<string>();
    const more = new Map<string, number>();
    let cost = 0;
    for (const { hash, place, text } of unitsOf(parts)) {
      const given = this.#versions.get(hash);
      const key = `${hash} ${place}`;
      if (given?.places.has(place) || places.has(key)) continue;
      places.add(key);
      const count = (more.get(`${hash} ${text}`) ?? 0) + 1;
      more.set(`${hash} ${text}`, count);
      if ((given?.counts.get(text) ?? 0) + count > (this.#most.get(text) ?? 0)) cost++;
    }
    return cost;
  }

  give(parts: readonly LinePart[]): void {
    this.#spent += this.cost(parts);
    this.know(parts);
  }

  /** Lines the session has written itself: they cost nothing, now and later. */
  know(parts: readonly LinePart[]): void {
    for (const { hash, place, text } of unitsOf(parts)) {
      const given = this.#version(hash);
      if (given.places.has(place)) continue;
      given.places.add(place);
      const count = (given.counts.get(text) ?? 0) + 1;
      given.counts.set(text, count);
      this.#most.set(text, Math.max(count, this.#most.get(text) ?? 0));
    }
  }

  /** As many shares more as `lines` need. */
  extend(share: number, lines: number): void {
    this.#shares += Math.max(1, Math.ceil((lines - this.left(share)) / share));
  }

  #version(hash: string): Given {
    const given = this.#versions.get(hash) ?? { places: new Set(), counts: new Map() };
    this.#versions.delete(hash);
    this.#versions.set(hash, given);
    const [oldest] = this.#versions.keys();
    if (this.#versions.size > keptVersions && oldest !== undefined) this.#versions.delete(oldest);
    return given;
  }
}

function* unitsOf(parts: readonly LinePart[]): Generator<{ hash: string; place: string; text: string }> {
  for (const { hash, line, from = 0, text } of parts) {
    const end = from + Math.max(1, text.length);
    for (let chunk = Math.floor(from / charsPerLine); chunk * charsPerLine < end; chunk++) {
      const piece = text.slice(Math.max(0, chunk * charsPerLine - from), (chunk + 1) * charsPerLine - from);
      yield { hash, place: `${line}:${chunk}`, text: createHash("sha256").update(piece).digest("base64").slice(0, 16) };
    }
  }
}
