import { parentPort, workerData } from "node:worker_threads";
import { openIndexToWrite } from "../../../device/knowledge/index/index-file.ts";

/** Opens indexes as soon as all of the threads are there, and says how each went. */
const { paths, arrived, threads }: { paths: string[]; arrived: Int32Array; threads: number } = workerData;
for (const [turn, path] of paths.entries()) {
  const all = threads * (turn + 1);
  Atomics.add(arrived, 0, 1);
  // Spinning: threads that are woken start too far apart to meet.
  while (Atomics.load(arrived, 0) < all);
  openIndexToWrite(path).connection.close();
}
parentPort?.postMessage("opened");
