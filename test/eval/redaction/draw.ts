import { seededRandom } from "../../../infra/standins/seeded-random.ts";

/** Draws from a seed, so that a corpus can be made again. */
export class Draw {
  /** From 0 up to, without, 1. */
  readonly number: () => number;

  constructor(seed: number) {
    this.number = seededRandom(seed);
  }

  below(limit: number): number {
    return Math.floor(this.number() * limit);
  }

  of<T>(choices: readonly T[]): T {
    const chosen = choices[this.below(choices.length)];
    if (chosen === undefined) throw new RangeError("nothing to draw from");
    return chosen;
  }

  /** @param alphabet a key of {@link alphabets} */
  text(alphabet: keyof typeof alphabets, length: number): string {
    const letters = alphabets[alphabet];
    return Array.from({ length }, () => letters.charAt(this.below(letters.length))).join("");
  }
}

const lower = "abcdefghijklmnopqrstuvwxyz";
const upper = lower.toUpperCase();
const digits = "0123456789";

export const alphabets = {
  digits,
  hex: "0123456789abcdef",
  HEX: "0123456789ABCDEF",
  base32: `${lower}234567`,
  BASE32: `${upper}234567`,
  base36: lower + digits,
  BASE36: upper + digits,
  base58: "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
  base62: lower + upper + digits,
  base64: `${lower}${upper}${digits}+/`,
  base64url: `${lower}${upper}${digits}-_`,
  letters: lower + upper,
  printable: `${lower}${upper}${digits}!@#$%^*-_=+.`,
} as const;
