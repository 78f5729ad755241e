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
  /** Longest that an invocation waits for an execution that is loaded and at work, before it gets one of its own. */
  patienceMs: number;
  /** Where the next invocation is to die, if anywhere. */
  crashPoint: () => CrashPoint | undefined;
  onLog: LogListener | undefined;
}

/** An invocation that waits for an execution. */
interface Waiting {
  /** Undefined when there will be none: the home is stopped. */
  readonly take: (execution: Execution | undefined) => void;
  isPatient: boolean;
  patience: NodeJS.Timeout | undefined;
}

/**
 * The executions of one function, made when they are needed and kept warm while it is in use. An invocation beyond `size` waits, where
 * Lambda would start one more; and while an execution is at work, the next waits for that a moment: to load the code once more takes
 * longer than most events do. While one is loaded the moment has not begun: a second would make the first one later.
 */
export class FunctionPool {
  readonly node: FunctionNode;
  readonly size: number;
  readonly #options: FunctionPoolOptions;
  readonly #log: FunctionLog;
  readonly #idle: Execution[] = [];
  readonly #busy = new Set<Execution>();
  readonly #loading = new Set<Execution>();
  /** Longest waiting first. */
  readonly #waiting: Waiting[] = [];
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

  /**
   * Invokes the function with an event and reports how it ended. Never rejects.
   *
   * @param isPatient whether it waits a moment for an execution that is at work, where it could begin another
   */
  async invoke(event: unknown, { isPatient = true }: { isPatient?: boolean } = {}): Promise<Outcome> {
    this.#running += 1;
    clearTimeout(this.#retirement);
    try {
      const execution = await this.#execution(isPatient);
      if (execution === undefined) return { status: "crash", error: { errorType: "Stopped", at: [] } };
      const outcome = await execution.run(randomUUID(), JSON.stringify(event), this.#options.crashPoint());
      this.#busy.delete(execution);
      if (execution.alive && !this.#closed) this.#idle.push(execution);
      else this.#end(execution);
      this.#serve();
      return outcome;
    } finally {
      this.#running -= 1;
      if (this.#running === 0) this.#retireLater();
      for (const listener of this.#listeners) listener();
    }
  }

  /**
   * Loads the code before the first invocation asks for it, where no execution has; that it cannot be loaded is for that
   * invocation to tell. Never rejects.
   */
  async warm(): Promise<void> {
    if (this.#closed || this.kept > 0) return;
    const execution = this.#begin();
    this.#idle.push(execution);
    this.#retireLater();
    await execution.loaded;
  }

  /** The next execution for whoever asks in turn; nothing once the pool is closed. */
  #execution(isPatient: boolean): Promise<Execution | undefined> {
    const { promise, resolve: take } = Promise.withResolvers<Execution | undefined>();
    const waiting: Waiting = { take, isPatient, patience: undefined };
    this.#waiting.push(waiting);
    this.#serve();
    if (this.#waiting.includes(waiting)) this.#limitPatience(waiting);
    return promise;
  }

  #limitPatience(waiting: Waiting): void {
    if (this.#loading.size > 0) return;
    waiting.patience = setTimeout(() => {
      waiting.isPatient = false;
      this.#serve();
    }, this.#options.patienceMs);
  }

  #serve(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const execution = this.#closed ? undefined : (this.#idle.pop() ?? this.#begin());
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      clearTimeout(next.patience);
      // From here on: whoever asks next must not find it free.
      if (execution !== undefined) this.#busy.add(execution);
      next.take(execution);
    }
  }

  /** Who is served now, if anybody: in turn, but for whoever may begin an execution while others wait for those at work. */
  #next(): Waiting | undefined {
    if (this.#closed || this.#idle.length > 0 || this.#busy.size === 0) return this.#waiting[0];
    return this.#busy.size < this.size ? this.#waiting.find(({ isPatient }) => !isPatient) : undefined;
  }

  #begin(): Execution {
    const execution = new Execution(this.node, this.#options.code, this.#options.environment, this.#log);
    this.#loading.add(execution);
    // One may end after its answer, of what it left behind: the next event is not to be lost with it.
    void execution.exited.then(() => {
      if (this.#idle.includes(execution)) this.#idle.splice(this.#idle.indexOf(execution), 1);
    });
    for (const { patience } of this.#waiting) clearTimeout(patience);
    void execution.loaded.then(() => {
      this.#loading.delete(execution);
      for (const waiting of this.#waiting) this.#limitPatience(waiting);
    });
    return execution;
  }

  #retireLater(): void {
    if (!this.#closed) this.#retirement = setTimeout(() => this.#retire(), this.#options.idleMs).unref();
  }

  #retire(): void {
    for (const execution of this.#idle.splice(0)) this.#end(execution);
  }

  #end(execution: Execution): void {
    const ended = execution.kill().finally(() => this.#ending.delete(ended));
    this.#ending.add(ended);
  }

  /** Kills every execution, as a fault of the platform would; invocations under way end as crashes. */
  async kill(): Promise<void> {
    const executions = [...this.#busy, ...this.#idle.splice(0)];
    await Promise.all(executions.map((execution) => execution.kill()));
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retirement);
    this.#serve();
    await this.kill();
    await Promise.all(this.#ending);
    await this.#log.close();
  }
}
