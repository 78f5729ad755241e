/** A piece of an answer while it is written. */
export interface Delta {
  readonly step: number;
  readonly seq: number;
  readonly text: string;
}

/** What a piece does to the text on the screen. */
export type TextChange =
  | { readonly kind: "append"; readonly text: string }
  /** What was shown is void, and this stands in its place. */
  | { readonly kind: "replace"; readonly text: string };

/** Of a longer answer the rest is left away: who reads it has long had enough, and memory is not without end. */
export const longestAnswer = 1_000_000;

/** Puts the pieces of an answer together. A step that is repeated starts again at `seq` 0. */
export class StreamedText {
  #step = -1;
  #next = 0;
  #text = "";
  #isWhole = true;

  /** What has come of the newest step. */
  get text(): string {
    return this.#text;
  }

  /** @returns undefined for a piece of a step that is over, or one that is known already */
  add({ step, seq, text: given }: Delta): TextChange | undefined {
    if (step < this.#step) return undefined;
    const begins = step > this.#step || seq === 0;
    if (!begins && seq < this.#next) return undefined;
    const wasShown = this.#text !== "";
    if (begins) {
      this.#step = step;
      this.#text = "";
      this.#isWhole = seq === 0;
    } else if (seq > this.#next) this.#isWhole = false;
    this.#next = seq + 1;
    const text = given.slice(0, longestAnswer - this.#text.length);
    if (text.length < given.length) this.#isWhole = false;
    this.#text += text;
    if (text === "" && !begins) return undefined;
    return begins && wasShown ? { kind: "replace", text } : { kind: "append", text };
  }

  /** What is still to be shown of the whole answer: nothing, its end, or all of it in the place of what was shown. */
  finish(whole: string): TextChange | undefined {
    if (this.#isWhole && whole.startsWith(this.#text)) {
      const rest = whole.slice(this.#text.length);
      return rest === "" ? undefined : { kind: "append", text: rest };
    }
    return { kind: this.#text === "" ? "append" : "replace", text: whole };
  }
}
