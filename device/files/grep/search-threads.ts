import { Worker } from "node:worker_threads";
import type { FsRoot } from "../backends/fs/fs-root.ts";
import { ProjectFilesError } from "../errors.ts";
import type { NameFolding } from "../paths/containment.ts";
import type { BatchFindings } from "./grep.ts";
import type { GrepQuery } from "./grep-query.ts";

/** What a thread is started with. */
export interface SearchThreadStart {
  root: string;
  pins: boolean;
  folding: NameFolding;
  query: GrepQuery;
}

interface Job {
  paths: readonly string[];
  settle: PromiseWithResolvers<BatchFindings>;
}

/** A few threads that search batches; started when first needed, ended by `close`, which can interrupt them. */
export class SearchThreads {
  readonly #root: FsRoot;
  readonly #query: GrepQuery;
  readonly #limit: number;
  readonly #workers = new Set<Worker>();
  /** Loaded and without work. */
  readonly #idle: Worker[] = [];
  readonly #waiting: Job[] = [];
  readonly #running = new Map<Worker, Job>();
  #closed: ProjectFilesError | undefined;

  constructor(root: FsRoot, query: GrepQuery, limit: number) {
    this.#root = root;
    this.#query = query;
    this.#limit = limit;
  }

  /** Starts them, or so many. They take a while to load, during which the caller has better things to do than to wait. */
  warmUp(count = this.#limit): void {
    while (this.#workers.size < Math.min(count, this.#limit)) this.#startWorker();
  }

  /** True when a batch given now would be begun at once. */
  get isFree(): boolean {
    return this.#idle.length > this.#waiting.length;
  }

  /** To be called when some are started. */
  search(paths: readonly string[]): Promise<BatchFindings> {
    const settle = Promise.withResolvers<BatchFindings>();
    if (this.#closed !== undefined) settle.reject(this.#closed);
    else {
      this.#waiting.push({ paths, settle });
      this.#dispatch();
    }
    return settle.promise;
  }

  async close(reason: ProjectFilesError): Promise<void> {
    this.#closed ??= reason;
    for (const job of [...this.#running.values(), ...this.#waiting]) job.settle.reject(reason);
    this.#running.clear();
    this.#waiting.length = 0;
    await Promise.all([...this.#workers].map((worker) => worker.terminate()));
  }

  #startWorker(): void {
    const { path: root, pins, folding } = this.#root;
    const workerData: SearchThreadStart = { root, pins, folding, query: this.#query };
    const worker = new Worker(new URL("../backends/fs/fs-search-worker.ts", import.meta.url), { workerData });
    this.#workers.add(worker);
    worker.on("message", (answer: BatchFindings | "loaded") => {
      if (answer !== "loaded") this.#running.get(worker)?.settle.resolve(answer);
      this.#running.delete(worker);
      this.#idle.push(worker);
      this.#dispatch();
    });
    worker.on("error", (cause) =>
      this.close(new ProjectFilesError("StorageFailed", { cause, detail: "search thread" })),
    );
  }

  #dispatch(): void {
    while (this.#idle.length > 0 && this.#waiting.length > 0) {
      const worker = this.#idle.pop();
      const job = this.#waiting.shift();
      if (worker === undefined || job === undefined) return;
      this.#running.set(worker, job);
      worker.postMessage(job.paths);
    }
  }
}
