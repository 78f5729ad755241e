/**
 * Finds many words in one pass over a text (Aho and Corasick, 1975): linear in the text's length, however many words there
 * are and whatever the text. Letters match in either case.
 */
export class KeywordScan {
  /** Class of each UTF-16 unit; nought stands in no word. */
  readonly #classes = new Uint8Array(65_536);
  readonly #width: number;
  /** Next state by state and class. */
  readonly #next: Uint16Array;
  /** The words that end in a state. */
  readonly #ends: (readonly number[])[];

  /** @param words lower case */
  constructor(words: readonly string[]) {
    const units = new Set(words.join(""));
    let classes = 0;
    for (const unit of units) {
      classes++;
      this.#classes[unit.charCodeAt(0)] = classes;
      const upper = unit.toUpperCase();
      if (upper.length === 1) this.#classes[upper.charCodeAt(0)] = classes;
    }
    this.#width = classes + 1;
    const states = 1 + words.reduce((sum, word) => sum + word.length, 0);
    if (states > 65_535 || classes > 255) throw new RangeError("too many keywords for one scan");
    this.#next = new Uint16Array(states * this.#width);
    this.#ends = Array.from({ length: states }, () => []);
    this.#link(this.#plant(words));
  }

  /** The trie of the words. @returns how many states it has */
  #plant(words: readonly string[]): number {
    let states = 1;
    for (const [index, word] of words.entries()) {
      let state = 0;
      for (const unit of word) {
        const slot = state * this.#width + (this.#classes[unit.charCodeAt(0)] ?? 0);
        if (this.#next[slot] === 0) this.#next[slot] = states++;
        state = this.#next[slot] ?? 0;
      }
      this.#ends[state] = [...(this.#ends[state] ?? []), index];
    }
    return states;
  }

  /** Where a word breaks off, the automaton goes on with the longest other word that fits. */
  #link(states: number): void {
    const fallback = new Uint16Array(states);
    const queue: number[] = [];
    for (let unit = 1; unit < this.#width; unit++) {
      const child = this.#next[unit] ?? 0;
      if (child !== 0) queue.push(child);
    }
    for (const state of queue) {
      const back = fallback[state] ?? 0;
      this.#ends[state] = [...(this.#ends[state] ?? []), ...(this.#ends[back] ?? [])];
      for (let unit = 1; unit < this.#width; unit++) {
        const slot = state * this.#width + unit;
        const child = this.#next[slot] ?? 0;
        const other = this.#next[back * this.#width + unit] ?? 0;
        if (child === 0) this.#next[slot] = other;
        else {
          fallback[child] = other;
          queue.push(child);
        }
      }
    }
  }

  /** @param onWord is given the word's index and the place behind it, in ascending order of places */
  scan(text: string, onWord: (word: number, end: number) => void): void {
    const [classes, next, width] = [this.#classes, this.#next, this.#width];
    let state = 0;
    for (let at = 0; at < text.length; at++) {
      state = next[state * width + (classes[text.charCodeAt(at)] ?? 0)] ?? 0;
      if (state === 0) continue;
      const ends = this.#ends[state];
      if (ends === undefined) continue;
      for (const word of ends) onWord(word, at + 1);
    }
  }
}
