import * as z from "zod";
import { isProjectFilesError } from "../../files/errors.ts";
import type { ProjectFiles } from "../../files/project-files.ts";

const usagePath = "runtime/artifact-usage.json";
const maxAttempts = 20;

/** What artifacts were used for, added up since the data folder was made. */
const counters = z.object({
  /** Results stored, and shown as they were. */
  kept: z.number().default(0),
  direct: z.number().default(0),
  /** Stored in memory, or shown in part, because the store was not there. */
  keptInMemory: z.number().default(0),
  cutInline: z.number().default(0),
  keptBytes: z.number().default(0),
  /** Tokens results would have taken of conversations, and took. Long ones are estimated by their beginning. */
  contextTokensBefore: z.number().default(0),
  contextTokensAfter: z.number().default(0),
  reads: z.number().default(0),
  searches: z.number().default(0),
  queries: z.number().default(0),
  references: z.number().default(0),
  /** Checks of a checksum that need not be repeated, and those that were made. */
  cacheHits: z.number().default(0),
  cacheMisses: z.number().default(0),
  missing: z.number().default(0),
  corrupt: z.number().default(0),
  regenerated: z.number().default(0),
  cleanups: z.number().default(0),
  cleanedArtifacts: z.number().default(0),
  cleanedBytes: z.number().default(0),
  cleanupFailures: z.number().default(0),
});
export type UsageCounters = z.infer<typeof counters>;
export type UsageCounter = keyof UsageCounters;

export const noUsage: UsageCounters = counters.parse({});

/** Counts in memory and adds to a file when asked; several processes may. Losing a count harms nobody. */
export class Usage {
  readonly #files: ProjectFiles;
  #pending = new Map<UsageCounter, number>();

  constructor(files: ProjectFiles) {
    this.#files = files;
  }

  add(counter: UsageCounter, amount = 1): void {
    this.#pending.set(counter, (this.#pending.get(counter) ?? 0) + amount);
  }

  /** Everything counted so far, by this process and before. */
  async totals(): Promise<UsageCounters> {
    const { totals } = await this.#stored();
    return added(totals, this.#pending);
  }

  /** Adds what was counted to the file. False when that could not be done; it is tried again with the next. */
  async flush(): Promise<boolean> {
    if (this.#pending.size === 0) return true;
    const pending = this.#pending;
    this.#pending = new Map();
    for (let tries = 0; tries < maxAttempts; tries++) {
      try {
        const { totals, version } = await this.#stored();
        const bytes = Buffer.from(JSON.stringify(added(totals, pending)));
        await this.#files.write(usagePath, bytes, { ifVersion: version, mode: 0o600 });
        return true;
      } catch (error) {
        if (!isProjectFilesError(error)) throw error;
        if (error.code !== "Conflict") break;
      }
    }
    for (const [counter, amount] of pending) this.add(counter, amount);
    return false;
  }

  async #stored(): Promise<{ totals: UsageCounters; version: string | null }> {
    try {
      const { version } = await this.#files.metadata(usagePath);
      const text = Buffer.from(await this.#files.read(usagePath)).toString("utf8");
      return { totals: parsed(text), version };
    } catch (error) {
      if (isProjectFilesError(error, "NotFound", "NotADirectory", "NoProjectFiles"))
        return { totals: noUsage, version: null };
      throw error;
    }
  }
}

function parsed(text: string): UsageCounters {
  try {
    return counters.safeParse(JSON.parse(text)).data ?? noUsage;
  } catch {
    // Counters of use only: a damaged file begins anew.
    return noUsage;
  }
}

function added(totals: UsageCounters, pending: ReadonlyMap<UsageCounter, number>): UsageCounters {
  const sum = { ...totals };
  for (const [counter, amount] of pending) sum[counter] += amount;
  return sum;
}
