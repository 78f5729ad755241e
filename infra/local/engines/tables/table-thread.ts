import { parentPort, workerData } from "node:worker_threads";
import { FaultInjector } from "../../faults.ts";
import { Principals } from "../access.ts";
import { RequestAuthorizer } from "../request-authorizer.ts";
import { SharedCounts } from "../shared-counts.ts";
import { tableOperations } from "./table-operations.ts";
import { serveTables } from "./tables.ts";
import type { TableAnswer, TableRequest, TableThreadData } from "./tables-aside.ts";

/** The thread of the tables: their engine with its door, loaded while the home starts what comes before it. */
const { counts }: TableThreadData = workerData;
const counted = new SharedCounts(tableOperations, counts);
const principals = new Principals();
const answer = (message: TableAnswer) => parentPort?.postMessage(message);

let close = async () => {};

async function serve(request: TableRequest): Promise<TableAnswer> {
  if (request.type === "open") {
    const { path, hostile } = request;
    const meter = { count: (_: string, operation: string) => counted.count(operation) };
    const door = new RequestAuthorizer(principals, meter, hostile && new FaultInjector(hostile));
    const tables = await serveTables(path, door);
    close = () => tables.close();
    return { endpoint: tables.endpoint };
  }
  if (request.type === "admit") for (const each of request.principals) principals.know(each);
  else await close();
  return {};
}

// What fails is the thread's end, and its owner is told of it.
parentPort?.on("message", async (request: TableRequest) => {
  answer(await serve(request));
  // LevelDB's own threads may be at work for a while: a thread that is terminated meanwhile takes the process with it.
  if (request.type === "close") parentPort?.close();
});
