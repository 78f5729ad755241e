import { randomUUID } from "node:crypto";
import type { CrashPoint } from "../faults.ts";
import type { FunctionNode } from "../graph.ts";
import { Execution, type Outcome } from "./execution.ts";
import type { FunctionCode } from "./function-code.ts";
import { FunctionLog, type LogListener } from "./log.ts";

export interface FunctionPoolOptions {
  code: FunctionCode;
  logFolder: string;
  environment: Record<string, string>;
  /** Most executions side by side. */
  size: number;
  /** After so long without an invocation all executions are ended. */
  idleMs: number;
  /** Where the next invocation is to die, if anywhere. */
  crashPoint: () => CrashPoint | undefined;
  onLog: LogListener | undefined;
}

/** Longest that an invocation waits for an execution that handles its first event, before it gets one of its own. */
const firstEventMs = 500;

/**
 * The executions of one function, made when they are needed and kept warm while it is in use. An invocation beyond `size` waits, where
 * Lambda would start one more; and while an execution is new, the next waits for that a moment: two that load the same code side by
 * side on two cores take longer than one that handles both events.
 */
export class FunctionPool {
  readonly node: FunctionNode;
  readonly size: number;
  readonly #options: FunctionPoolOptions;
  readonly #log: FunctionLog;
  readonly #idle: Execution[] = [];
  readonly #busy = new Set<Execution>();
  readonly #waiting: (() => void)[] = [];
  /** Executions at their first event, not for long. */
  readonly #beginning = new Set<Execution>();
  readonly #listeners = new Set<() => void>();
  readonly #ending = new Set<Promise<void>>();
  #retirement: NodeJS.Timeout | undefined;
  #running = 0;
  #closed = false;

  constructor(node: FunctionNode, options: FunctionPoolOptions) {
    this.node = node;
    this.size = options.size;
    this.#options = options;
    this.#log = new FunctionLog(options.logFolder, node.name, options.onLog);
  }

  /** Invocations under way or waiting. */
  get running(): number {
    return this.#running;
  }

  /** Executions that are kept, at work or not. */
  get kept(): number {
    return this.#busy.size + this.#idle.length;
  }

  /** Calls back after every invocation. */
  onDone(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Invokes the function with an event and reports how it ended. Never rejects. */
  async invoke(event: unknown): Promise<Outcome> {
    this.#running += 1;
    clearTimeout(this.#retirement);
    try {
      while (this.#free <= 0 && !this.#closed) {
        await new Promise<void>((resolve) => this.#waiting.push(resolve));
      }
      if (this.#closed) return { status: "crash", error: { errorType: "Stopped", at: [] } };
      const execution = this.#idle.pop() ?? this.#start();
      this.#busy.add(execution);
      const outcome = await execution.run(randomUUID(), JSON.stringify(event), this.#options.crashPoint());
      this.#busy.delete(execution);
      if (execution.alive && !this.#closed) this.#idle.push(execution);
      this.#beginning.delete(execution);
      this.#wake();
      return outcome;
    } finally {
      this.#running -= 1;
      if (this.#running === 0 && !this.#closed) {
        this.#retirement = setTimeout(() => this.#retire(), this.#options.idleMs).unref();
      }
      for (const listener of this.#listeners) listener();
    }
  }

  /** How many invocations could begin now. */
  get #free(): number {
    return this.#beginning.size > 0 ? this.#idle.length : this.size - this.#busy.size;
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0, Math.max(0, this.#free))) wake();
  }

  #start(): Execution {
    const execution = new Execution(this.node, this.#options.code, this.#options.environment, this.#log);
    this.#beginning.add(execution);
    const begun = () => {
      if (this.#beginning.delete(execution)) this.#wake();
    };
    setTimeout(begun, firstEventMs).unref();
    return execution;
  }

  #retire(): void {
    for (const execution of this.#idle.splice(0)) {
      const ended = execution.kill().finally(() => this.#ending.delete(ended));
      this.#ending.add(ended);
    }
  }

  /** Kills every execution, as a fault of the platform would; invocations under way end as crashes. */
  async kill(): Promise<void> {
    const executions = [...this.#busy, ...this.#idle.splice(0)];
    await Promise.all(executions.map((execution) => execution.kill()));
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retirement);
    for (const wake of this.#waiting.splice(0)) wake();
    await this.kill();
    await Promise.all(this.#ending);
    await this.#log.close();
  }
}
