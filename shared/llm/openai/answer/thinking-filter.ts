/** Tags models put around their thinking: Qwen and DeepSeek the first, others the rest. */
const names = ["think", "thinking", "reasoning"];
const opening = /^\s*<(?:think|thinking|reasoning)>/;
const closing = /<\/(?:think|thinking|reasoning)>/;
/** Longer than a closing tag, so that one in two pieces is found. */
const tailCharacters = 16;

/**
 * Leaves out the thinking at the head of a streamed answer, `<think>…</think>`: it is not meant for the person. Text
 * that does not begin so passes at once.
 */
export class ThinkingFilter {
  #held = "";
  #state: "undecided" | "thinking" | "thought" | "passing" = "undecided";

  /** @returns what of the answer so far may be shown and was not yet */
  take(piece: string): string {
    if (this.#state === "passing") return piece;
    this.#held += piece;
    if (this.#state === "undecided") {
      if (mayOpen(this.#held)) return "";
      const tag = opening.exec(this.#held);
      if (!tag) return this.#pass(this.#held);
      this.#state = "thinking";
      this.#held = this.#held.slice(tag[0].length);
    }
    if (this.#state === "thinking") {
      const end = closing.exec(this.#held);
      this.#held = end ? this.#held.slice(end.index + end[0].length) : this.#held.slice(-tailCharacters);
      if (!end) return "";
      this.#state = "thought";
    }
    const answer = this.#held.trimStart();
    return answer === "" ? "" : this.#pass(answer);
  }

  /** At the answer's end: what was held back in case it would become a tag. */
  rest(): string {
    return this.#state === "undecided" ? this.#pass(this.#held) : "";
  }

  #pass(text: string): string {
    this.#state = "passing";
    this.#held = "";
    return text;
  }
}

/** Whether so much of an answer may still become an opening tag. */
function mayOpen(text: string): boolean {
  const begun = text.trimStart();
  return names.some((name) => `<${name}>`.startsWith(begun) && begun !== `<${name}>`);
}
