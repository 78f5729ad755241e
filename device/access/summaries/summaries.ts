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

/** Summaries that were made and paid for already, by the scan of a linked folder. */
export interface PaidSummaries {
  /** Of the newest content it was made for. */
  of(path: string): Pick<StoredSummary, "text" | "hash" | "at"> | undefined;
}

/** What a summary of a scan is said to be by. */
const byScan = "scan";

/** Summaries kept by the hash of what they are of. */
export class Summaries {
  readonly #store: SummaryStore;
  readonly #summarizer: Summarizer;
  readonly #now: () => number;
  readonly #paid: PaidSummaries | undefined;

  constructor(store: SummaryStore, summarizer: Summarizer, now: () => number, paid?: PaidSummaries) {
    this.#store = store;
    this.#summarizer = summarizer;
    this.#now = now;
    this.#paid = paid;
  }

  /** What is there without asking a model, stale or not: what is of this content first. */
  cached(path: string, hash: string): Summary | undefined {
    const kept = this.#store.get(path);
    const known = kept?.hash === hash ? kept : (this.#paidFor(path, hash) ?? kept);
    return known === undefined ? undefined : { ...known, stale: known.hash !== hash };
  }

  /** A scan's; of an older content only where nothing else is known. */
  #paidFor(path: string, hash: string): StoredSummary | undefined {
    const paid = this.#paid?.of(path);
    if (paid === undefined || (paid.hash !== hash && this.#store.get(path) !== undefined)) return undefined;
    return { ...paid, path, maxTokens: 0, by: byScan };
  }

  /** A summary of this very content, kept or made now. */
  async of(path: string, hash: string, text: string, maxTokens: number): Promise<Summary> {
    const kept = this.cached(path, hash);
    if (kept !== undefined && !kept.stale) {
      const fits = kept.by === byScan ? (await countTokens(kept.text)) <= maxTokens : kept.maxTokens === maxTokens;
      if (fits) return kept;
    }
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
