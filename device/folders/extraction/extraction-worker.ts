import { parentPort, workerData } from "node:worker_threads";
import type { ExtractionLimits } from "../scanner/limits.ts";
import { extract } from "./extract.ts";
import type { ExtractionJob } from "./extraction.ts";

/** Thread that reads the files it is sent, one after the other; ended by its owner, the only one who can send it anything. */
const limits: ExtractionLimits = workerData;
parentPort?.on("message", async (job: ExtractionJob) => parentPort?.postMessage(await extract(job, limits)));
