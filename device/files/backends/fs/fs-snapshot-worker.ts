import { parentPort, workerData } from "node:worker_threads";
import { type Comparison, compareSome } from "./fs-snapshot.ts";

/** Thread that helps with a comparison until nothing is left of it. */
const comparison: Comparison = workerData;
while (compareSome(comparison));
parentPort?.postMessage("done");
