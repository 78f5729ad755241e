import { Worker } from "node:worker_threads";
import { codeCacheFolder } from "../built/code-cache.ts";
import type { CrashPoint } from "../faults.ts";
import type { FunctionNode } from "../graph.ts";
import type { FunctionCode } from "./function-code.ts";
import type { FunctionLog } from "./log.ts";
import { type ErrorSummary, summarise, type ThreadData, type ThreadMessage } from "./protocol.ts";

export type Outcome =
  | { status: "success"; result: unknown }
  /** The handler threw; the environment lives on. */
  | { status: "error"; error: ErrorSummary }
  /** The environment is gone: it ran out of time or memory, exited, or was killed. */
  | { status: "timeout" | "crash"; error: ErrorSummary };

/** Milliseconds a function has to load before its first event (Lambda: the init phase is limited to 10 seconds). */
const initLimitMs = 30_000;

interface Running {
  requestId: string;
  settle: (outcome: Outcome) => void;
  timer: NodeJS.Timeout | undefined;
}

/** One execution environment: a thread that handles one event at a time, and dies as Lambda's do. */
export class Execution {
  readonly #node: FunctionNode;
  readonly #log: FunctionLog;
  readonly #worker: Worker;
  /** Resolves once the code is loaded, or will never be. */
  readonly loaded: Promise<void>;
  /** Resolves when the thread is gone, at work or not. */
  readonly exited: Promise<void>;
  #running: Running | undefined;
  #failure: ErrorSummary | undefined;
  #timedOut = false;
  alive = true;

  constructor(node: FunctionNode, code: FunctionCode, env: Record<string, string>, log: FunctionLog) {
    this.#node = node;
    this.#log = log;
    const workerData: ThreadData = {
      ...code.handler(node),
      builtFolder: code.builtFolder,
      codeCache: codeCacheFolder(),
      functionName: node.name,
      functionArn: node.arn,
      memoryMb: node.memoryMb,
    };
    this.#worker = new Worker(code.thread, {
      workerData,
      env,
      execArgv: [],
      stdout: true,
      stderr: true,
      name: node.name,
      resourceLimits: { maxOldGenerationSizeMb: node.memoryMb },
    });
    log.take(this.#worker.stdout);
    log.take(this.#worker.stderr);
    const ready = Promise.withResolvers<void>();
    const exited = Promise.withResolvers<void>();
    this.loaded = ready.promise;
    this.exited = exited.promise;
    const initTimer = setTimeout(() => this.#expire(), initLimitMs);
    this.#worker.on("message", (message: ThreadMessage) => {
      if (message.type === "ready") {
        clearTimeout(initTimer);
        ready.resolve();
      } else if (message.requestId === this.#running?.requestId) {
        const result =
          message.type === "result"
            ? { status: "success" as const, result: JSON.parse(message.result) }
            : { status: "error" as const, error: message.error };
        this.#settle(result);
      }
    });
    this.#worker.on("error", (error) => {
      this.#failure = summarise(error);
    });
    this.#worker.on("exit", () => {
      clearTimeout(initTimer);
      this.alive = false;
      ready.resolve();
      const error = this.#failure ?? { errorType: this.#timedOut ? "Sandbox.Timedout" : "Runtime.ExitError", at: [] };
      this.#settle({ status: this.#timedOut ? "timeout" : "crash", error });
      exited.resolve();
    });
  }

  /** Hands one event to the handler. Never rejects. */
  async run(requestId: string, event: string, crash: CrashPoint | undefined): Promise<Outcome> {
    await this.loaded;
    const { promise, resolve: settle } = Promise.withResolvers<Outcome>();
    if (!this.alive) {
      const error = this.#failure ?? { errorType: "Runtime.InitError", at: [] };
      this.#log.record("initFailed", { requestId, ...error });
      return { status: "crash", error };
    }
    const timeoutMs = this.#node.timeoutSeconds * 1000;
    const timer = setTimeout(() => this.#expire(), timeoutMs);
    this.#running = { requestId, settle, timer };
    this.#worker.postMessage({ requestId, event, timeoutMs, crash });
    return promise;
  }

  /** Ends the thread at once, whatever it does. */
  async kill(): Promise<void> {
    await this.#worker.terminate();
    await this.exited;
  }

  #expire(): void {
    this.#timedOut = true;
    // Its answer may be there already, and unread: it counts, and no further event is for a thread that ends.
    this.alive = false;
    void this.#worker.terminate();
  }

  #settle(outcome: Outcome): void {
    const running = this.#running;
    if (!running) return;
    this.#running = undefined;
    clearTimeout(running.timer);
    if (outcome.status !== "success") {
      this.#log.record("runtimeDone", { requestId: running.requestId, status: outcome.status, ...outcome.error });
    }
    running.settle(outcome);
  }
}
