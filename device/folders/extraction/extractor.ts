import { ProjectFilesError, throwIfCancelled } from "../../files/errors.ts";
import { type ExtractionLimits, extractionLimits } from "../scanner/limits.ts";
import type { Extraction, ExtractionJob } from "./extraction.ts";
import { ExtractionThread } from "./extraction-thread.ts";

export interface ExtractorOptions {
  readonly limits?: Partial<ExtractionLimits>;
  /** Files read at the same time. */
  readonly threads?: number;
}

/** Reads files in threads that are started when needed and kept for the next file. Close it. */
export class Extractor {
  readonly limits: ExtractionLimits;
  readonly #threads: readonly ExtractionThread[];
  readonly #idle: ExtractionThread[];
  readonly #waiting: PromiseWithResolvers<ExtractionThread>[] = [];
  #isClosed = false;

  constructor({ limits, threads = 1 }: ExtractorOptions = {}) {
    this.limits = { ...extractionLimits, ...limits };
    this.#threads = Array.from({ length: threads }, () => new ExtractionThread(this.limits));
    this.#idle = [...this.#threads];
  }

  /** Waits for a thread and reads one file. @throws ProjectFilesError Cancelled */
  async extract(job: ExtractionJob, signal?: AbortSignal): Promise<Extraction> {
    if (this.#isClosed) throw new ProjectFilesError("Cancelled");
    const thread = this.#idle.pop() ?? (await this.#nextIdle());
    try {
      throwIfCancelled(signal);
      return await thread.run(job, signal);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#idle.push(thread);
      else next.resolve(thread);
    }
  }

  /** Ends the threads; who waits for a file is told `Cancelled`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const waiting of this.#waiting.splice(0)) waiting.reject(new ProjectFilesError("Cancelled"));
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }

  #nextIdle(): Promise<ExtractionThread> {
    const waiting = Promise.withResolvers<ExtractionThread>();
    this.#waiting.push(waiting);
    return waiting.promise;
  }
}
