import process from "node:process";
import type { Worker } from "node:worker_threads";

/** Bytes, with how many items had been delivered by then. */
export interface Sample {
  readonly items: number;
  readonly rss: number;
  /** Used heap of the main thread: engines, gateway, pollers, stand-ins and the device. */
  readonly mainHeap: number;
  /** Used heaps of all threads of functions together. */
  readonly threadHeaps: number;
  readonly threads: number;
}

/** Watches the memory of this process and of every thread it starts from now on. */
export class MemoryWatch {
  readonly #workers = new Set<Worker>();
  readonly #started = (worker: Worker) => {
    this.#workers.add(worker);
    worker.once("exit", () => this.#workers.delete(worker));
  };

  constructor() {
    process.on("worker", this.#started);
  }

  async sample(items: number): Promise<Sample> {
    const heaps = await Promise.allSettled([...this.#workers].map((worker) => worker.getHeapStatistics()));
    // A thread that ended meanwhile has none.
    const used = heaps.flatMap((heap) => (heap.status === "fulfilled" ? [heap.value.used_heap_size] : []));
    const { rss, heapUsed } = process.memoryUsage();
    return {
      items,
      rss,
      mainHeap: heapUsed,
      threadHeaps: used.reduce((sum, bytes) => sum + bytes, 0),
      threads: used.length,
    };
  }

  close(): void {
    process.off("worker", this.#started);
  }
}
