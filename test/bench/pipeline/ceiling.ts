import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Home } from "../../../infra/local/home.ts";
import type { BareLoopData } from "./bare-loop.ts";

/** As many side by side as the home runs executions of a worker, each in a thread of its own as those are. */
const threads = 2;
const warmUpItems = 100;
/** Fewer would be over before the engines are at full speed. */
const fewestItems = 1000;

export interface Ceiling {
  readonly items: number;
  readonly ms: number;
}

/**
 * The peer: what the home's own engines can do at best. Each item is sent, received, put and deleted through the AWS
 * SDK in the product's batch sizes, with nothing done about it.
 */
export async function measureCeiling(home: Home, items: number): Promise<Ceiling> {
  const tableName = home.graph.tables["Ledger"]?.tableName ?? "";
  // Queues of dead letters: no function takes from them, and a home makes no queue that the stack does not name.
  const unread = Object.values(home.graph.queues).filter(
    ({ subscriber, url }) => subscriber === undefined && !url.endsWith(".fifo"),
  );
  const workers = unread.slice(0, threads).map(({ url }) => {
    const workerData: BareLoopData = { operator: home.operator, tableName, queueUrl: url };
    return new Worker(new URL("./bare-loop.ts", import.meta.url), { workerData });
  });
  const each = Math.ceil(Math.max(items, fewestItems) / threads / 10) * 10;
  const pass = (count: number) =>
    Promise.all(
      workers.map((worker) => {
        const passed = once(worker, "message");
        worker.postMessage(count);
        return passed;
      }),
    );
  try {
    await Promise.all(workers.map((worker) => once(worker, "message")));
    await pass(warmUpItems);
    const startMs = performance.now();
    await pass(each);
    return { items: each * threads, ms: performance.now() - startMs };
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}
