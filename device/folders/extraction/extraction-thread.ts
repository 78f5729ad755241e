import { Worker } from "node:worker_threads";
import { ProjectFilesError } from "../../files/errors.ts";
import type { ExtractionLimits } from "../scanner/limits.ts";
import type { Extraction, ExtractionFailure, ExtractionJob } from "./extraction.ts";

const memoryCheckEveryMs = 25;

/**
 * One thread that reads files, and is ended when it takes too long or too much: a file may have been made to exhaust
 * whoever reads it. JavaScript's heap is limited by Node; what lies outside of it (inflated streams, pixels) is asked for
 * while the thread works, which it answers even in the middle of a loop.
 */
export class ExtractionThread {
  readonly #limits: ExtractionLimits;
  #worker: Worker | undefined;

  constructor(limits: ExtractionLimits) {
    this.#limits = limits;
  }

  /** One at a time. @throws ProjectFilesError Cancelled */
  async run(job: ExtractionJob, signal?: AbortSignal): Promise<Extraction> {
    const worker = this.#started();
    const answer = Promise.withResolvers<Extraction>();
    const fail = (reason: ExtractionFailure) => answer.resolve({ outcome: "failed", reason });
    const onAbort = () => answer.reject(new ProjectFilesError("Cancelled", { cause: signal?.reason }));
    const onError = (error: Error) => fail(isOutOfMemory(error) ? "too_complex" : "corrupt");
    const onExit = () =>
      this.#worker === worker ? fail("corrupt") : answer.reject(new ProjectFilesError("Cancelled"));
    const deadline = setTimeout(() => fail("timed_out"), this.#limits.deadlineMs);
    const check = setInterval(() => {
      this.#exceedsMemory(worker).then((exceeds) => exceeds && fail("too_complex"), answer.reject);
    }, memoryCheckEveryMs);
    worker.once("message", answer.resolve).once("error", onError).once("exit", onExit);
    signal?.addEventListener("abort", onAbort, { once: true });
    let isSound = false;
    try {
      if (signal?.aborted) onAbort();
      worker.postMessage(job);
      const extraction = await answer.promise;
      // A reader that failed may have left its WebAssembly in any state.
      isSound = extraction.outcome !== "failed";
      return extraction;
    } finally {
      clearTimeout(deadline);
      clearInterval(check);
      signal?.removeEventListener("abort", onAbort);
      worker.off("message", answer.resolve).off("exit", onExit);
      if (!isSound) await this.close();
      else worker.off("error", onError);
    }
  }

  /** Who waits for a file is told `Cancelled`. */
  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  #started(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = new Worker(new URL("./extraction-worker.ts", import.meta.url), {
      workerData: this.#limits,
      resourceLimits: { maxOldGenerationSizeMb: this.#limits.maxHeapMegabytes },
      // Whatever a reader has to say about a file is the file's content.
      stdout: true,
      stderr: true,
      env: {},
      execArgv: [],
    });
    worker.stdout.resume();
    worker.stderr.resume();
    worker.unref();
    this.#worker = worker;
    return worker;
  }

  async #exceedsMemory(worker: Worker): Promise<boolean> {
    try {
      const { external_memory: externalBytes } = await worker.getHeapStatistics();
      return externalBytes > this.#limits.maxExternalBytes;
    } catch (error) {
      // It has ended since; whoever waits for it is told by its exit.
      if (error instanceof Error && "code" in error && error.code === "ERR_WORKER_NOT_RUNNING") return false;
      throw error;
    }
  }
}

const isOutOfMemory = (error: Error): boolean => "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
