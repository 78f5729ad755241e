import { randomBytes } from "node:crypto";

/** A text that must not be readable anywhere it is looked for, and what it stands for. */
export interface Canary {
  readonly label: string;
  readonly text: string;
}

const tokenCharacters = 8;
/** Long enough to be nowhere by chance, short enough to be inside what a library quotes of a longer secret. */
const partCharacters = 16;

/**
 * Canaries of one run. Lower-case letters and digits, so that no header, address or URL changes them; eight of
 * them, because V8's JSON errors quote ten characters around the place they choke on.
 */
export class Canaries {
  readonly #all: Canary[] = [];

  get all(): readonly Canary[] {
    return this.#all;
  }

  /** A new text to be put into content. */
  plant(label: string): string {
    const random = BigInt(`0x${randomBytes(16).toString("hex")}`).toString(36);
    const text = `q${random.slice(0, tokenCharacters - 1)}`;
    this.#all.push({ label, text });
    return text;
  }

  /** A secret made elsewhere (a token, a key), looked for by a part from its middle. */
  watch(label: string, secret: string): void {
    const start = Math.max(0, (secret.length - partCharacters) >> 1);
    this.#all.push({ label, text: secret.slice(start, start + partCharacters) });
  }
}
