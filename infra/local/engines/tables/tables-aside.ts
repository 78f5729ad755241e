import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { privateFolder } from "../../../standins/private-folder.ts";
import { codeOf } from "../../built/built-code.ts";
import { LocalHomeError } from "../../errors.ts";
import type { FaultOptions } from "../../faults.ts";
import type { Graph } from "../../graph.ts";
import type { Principal } from "../access.ts";
import type { Meter } from "../meter.ts";
import { SharedCounts } from "../shared-counts.ts";
import { tableOperations } from "./table-operations.ts";
import { forgetDeleted, prepareTables } from "./table-store.ts";

export interface TableThreadData {
  readonly counts: SharedArrayBuffer;
}

export type TableRequest =
  | { readonly type: "open"; readonly path: string; readonly hostile: FaultOptions | undefined }
  | { readonly type: "admit"; readonly principals: readonly Principal[] }
  | { readonly type: "close" };

/** One for each request, when it is done. */
export interface TableAnswer {
  readonly endpoint?: string;
}

/**
 * The tables in a thread of their own: a third of what a busy home's main thread did was theirs, while the second core had
 * nothing to do. They are spoken to over HTTP as ever; who may ask is told before anybody does, and what was asked is
 * counted in memory that both threads see.
 */
export class TablesAside {
  readonly #worker: Worker;
  #pending: PromiseWithResolvers<TableAnswer> | undefined;
  /** It was closed, or has failed: nothing is asked of it any more. */
  #isOver = false;
  /** Of the store, once it is prepared. */
  #path: string | undefined;

  /**
   * Begins to load the engine.
   *
   * @param built whether what was built of the home is current
   */
  constructor(built: boolean, meter: Meter) {
    const counted = new SharedCounts(tableOperations);
    meter.include("dynamodb", counted);
    const workerData: TableThreadData = { counts: counted.memory };
    const file = codeOf(built, "infra/local/engines/tables/table-thread");
    this.#worker = new Worker(file, { workerData, execArgv: [], name: "tables" });
    this.#worker.on("message", (answer: TableAnswer) => this.#take()?.resolve(answer));
    this.#worker.on("error", (error) => {
      this.#isOver = true;
      const pending = this.#take();
      // Nobody waits for what fails in the middle of a request: it ends the process, as it does where the engine is no thread.
      if (pending === undefined) throw error;
      pending.reject(error);
    });
    this.#worker.on("exit", () => this.#take()?.reject(gone()));
  }

  /** Starts DynamoDB with the graph's tables in the store at `path`. @returns where it listens */
  async open(path: string, graph: Graph, hostile: FaultOptions | undefined): Promise<string> {
    privateFolder(path);
    // Not in the thread: one that has opened LevelDB twice, even one after the other, crashes the process when it ends.
    await prepareTables(path, graph, Date.now());
    this.#path = path;
    const { endpoint } = await this.#ask({ type: "open", path, hostile });
    if (endpoint === undefined) throw gone();
    return endpoint;
  }

  /** From when this resolves on these are known. */
  async admit(principals: readonly Principal[]): Promise<void> {
    await this.#ask({ type: "admit", principals });
  }

  async close(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    const exited = once(this.#worker, "exit");
    await this.#ask({ type: "close" });
    await exited;
    if (this.#path !== undefined) await forgetDeleted(this.#path);
  }

  #ask(request: TableRequest): Promise<TableAnswer> {
    const pending = Promise.withResolvers<TableAnswer>();
    this.#pending = pending;
    this.#worker.postMessage(request);
    return pending.promise;
  }

  #take(): PromiseWithResolvers<TableAnswer> | undefined {
    const pending = this.#pending;
    this.#pending = undefined;
    return pending;
  }
}

const gone = () => new LocalHomeError("stopped", "The thread of the tables has ended.");
