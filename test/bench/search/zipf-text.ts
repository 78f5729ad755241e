import { seededRandom } from "../../../infra/standins/seeded-random.ts";

/** As many different words as a few hundred megabytes of one language have. */
const vocabulary = 300_000;
const consonants = "bcdfghklmnprstvz";
const vowels = "aeiou";

/** Text whose words are as frequent as in a language: the n-th is one n-th as frequent as the first (Zipf). */
export class ZipfText {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  /** The n-th most frequent word. */
  word(n: number): string {
    let word = "";
    for (let rest = n + 11; rest > 0; rest = Math.floor(rest / consonants.length)) {
      word += `${consonants[rest % consonants.length]}${vowels[rest % vowels.length]}`;
    }
    return word;
  }

  document(paragraphs: number, words: number): string {
    const all = Array.from({ length: paragraphs }, () => Array.from({ length: words }, () => this.#drawn()).join(" "));
    return `# ${this.question(4)}\n\n${all.join("\n\n")}\n`;
  }

  /** So many words as they come. */
  question(words: number): string {
    return Array.from({ length: words }, () => this.#drawn()).join(" ");
  }

  #drawn(): string {
    return this.word(Math.min(vocabulary, Math.floor(vocabulary ** this.#random()) - 1));
  }
}
