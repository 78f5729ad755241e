import { createRequire } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import { installGlobals } from "./components/globals.ts";
import { registry } from "./components/registry.ts";
import type { Addresses, EvaluationReply } from "./graph.ts";

/** The thread behind `evaluate`: installs SST's globals, runs the config, answers with the graph. */
interface Assignment {
  configFile: string;
  addresses: Addresses;
  stage: string;
}
const assignment: Assignment = workerData;

async function run(): Promise<EvaluationReply> {
  try {
    registry.begin(assignment.addresses, assignment.stage);
    installGlobals(assignment.stage);
    const config = createRequire(assignment.configFile)(assignment.configFile);
    await config.default.run();
    return { graph: registry.graph() };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}

void run().then((reply) => parentPort?.postMessage(reply));
