import { countTokens } from "../reading/token-count.ts";
import type { StoredSummary, SummaryStore } from "../store/access-store.ts";

/** Writes summaries: a language model, or {@link builtInSummarizer}. */
export interface Summarizer {
  /** Its name, kept with what it writes. */
  readonly name: string;
  /** @param text without credentials */
  summarize(text: string, about: { readonly path: string; readonly maxTokens: number }): Promise<string>;
}

export interface Summary extends StoredSummary {
  /** The file has changed since the summary was made. */
  readonly stale: boolean;
}

/** Summaries kept by the hash of what they are of. */
export class Summaries {
  readonly #store: SummaryStore;
  readonly #summarizer: Summarizer;
  readonly #now: () => number;

  constructor(store: SummaryStore, summarizer: Summarizer, now: () => number) {
    this.#store = store;
    this.#summarizer = summarizer;
    this.#now = now;
  }

  /** What is kept, stale or not. */
  cached(path: string, hash: string): Summary | undefined {
    const kept = this.#store.get(path);
    return kept === undefined ? undefined : { ...kept, stale: kept.hash !== hash };
  }

  /** A summary of this very content, kept or made now. */
  async of(path: string, hash: string, text: string, maxTokens: number): Promise<Summary> {
    const kept = this.cached(path, hash);
    if (kept !== undefined && !kept.stale && kept.maxTokens === maxTokens) return kept;
    const written = await this.#summarizer.summarize(text, { path, maxTokens });
    const summary = {
      path,
      hash,
      text: await cutToTokens(written.trim(), maxTokens),
      maxTokens,
      by: this.#summarizer.name,
      at: this.#now(),
    };
    this.#store.put(summary);
    return { ...summary, stale: false };
  }
}

/** The longest beginning, line by line and then word by word, that fits. */
async function cutToTokens(text: string, maxTokens: number): Promise<string> {
  if ((await countTokens(text)) <= maxTokens) return text;
  const words = text.split(/(?<=\s)/);
  let [fits, tooMany] = [0, words.length];
  while (fits + 1 < tooMany) {
    const middle = (fits + tooMany) >> 1;
    if ((await countTokens(`${words.slice(0, middle).join("").trimEnd()} …`)) <= maxTokens) fits = middle;
    else tooMany = middle;
  }
  return `${words.slice(0, fits).join("").trimEnd()} …`;
}
