import type { Heading, Headings } from "../stats.ts";

const maxFirst = 5;
const maxHeadingChars = 160;

/** Headings of a document: all counted, the first five kept. */
export class HeadingList {
  readonly #perLevel = [0, 0, 0, 0, 0, 0];
  readonly #first: Heading[] = [];

  add(level: number, text: string): void {
    this.#perLevel[level - 1] = (this.#perLevel[level - 1] ?? 0) + 1;
    if (this.#first.length >= maxFirst) return;
    this.#first.push({ level, text: text.replace(/\s+/g, " ").trim().slice(0, maxHeadingChars).toWellFormed() });
  }

  get result(): Headings {
    const count = this.#perLevel.reduce((sum, ofLevel) => sum + ofLevel, 0);
    return { count, perLevel: [...this.#perLevel], first: [...this.#first] };
  }
}
