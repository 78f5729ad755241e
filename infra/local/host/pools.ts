import { setFlagsFromString } from "node:v8";
import type { Principals } from "../engines/access.ts";
import { LocalHomeError } from "../errors.ts";
import type { CrashPoint } from "../faults.ts";
import type { Graph } from "../graph.ts";
import { functionEnvironment, type ServiceEndpoints } from "./environment.ts";
import type { FunctionCode } from "./function-code.ts";
import { FunctionPool } from "./function-pool.ts";
import type { LogListener } from "./log.ts";

export type Pools = ReadonlyMap<string, FunctionPool>;

export interface PoolsOptions {
  graph: Graph;
  code: FunctionCode;
  logFolder: string;
  secrets: Record<string, string>;
  endpoints: ServiceEndpoints;
  principals: Principals;
  size: (functionName: string) => number;
  crashPoint: () => CrashPoint | undefined;
  onLog: LogListener | undefined;
}

/**
 * As Lambda ends an execution that nobody has asked anything for some minutes. Each holds 20 to 50 MB of a person's machine and takes a
 * fifth of a second to begin, so it is kept for no longer than until a cron of each minute has asked again.
 */
const idleMs = 90_000;

/** A batch or a request takes less, once the code is loaded, than it takes to load it a second time. */
const patienceMs = 500;

/** What a thread's young generation begins with: loading a function fills it many times over while it is V8's 1 MB. */
const youngMb = 8;

/**
 * A pool for every function of the graph.
 *
 * @throws LocalHomeError `config_invalid` when a linked secret has no value
 */
export function createPools(options: PoolsOptions): Pools {
  const { graph, principals, secrets, endpoints, size, ...shared } = options;
  // For threads that start from now on; a thread's own limits only name the most.
  setFlagsFromString(`--min-semi-space-size=${youngMb}`);
  return new Map(
    Object.values(graph.functions).map((node) => {
      // Executions come and go while what one has signed is still good: the key is the function's.
      const principal = principals.create(node.name, node.permissions);
      // Missing secrets are the start's failure, not the first invocation's.
      const environment = functionEnvironment(node, graph, secrets, endpoints, principal);
      return [node.name, new FunctionPool(node, { ...shared, environment, idleMs, patienceMs, size: size(node.name) })];
    }),
  );
}

/**
 * Loads functions that are sure to be asked for soon, one after the other: an event that comes meanwhile finds half of the
 * processor free. Never rejects.
 */
export async function warm(pools: readonly FunctionPool[]): Promise<void> {
  for (const pool of pools) await pool.warm();
}

/** @throws LocalHomeError `unknown_name` */
export function poolOf(pools: Pools, name: string): FunctionPool {
  const found = pools.get(name);
  if (!found) throw new LocalHomeError("unknown_name", `There is no function "${name}".`);
  return found;
}

/** Waits until no function runs, or the limit has passed. */
export async function settled(pools: Pools, limitMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, limitMs);
  const check = () => {
    if ([...pools.values()].every((pool) => pool.running === 0)) resolve();
  };
  for (const pool of pools.values()) pool.onDone(check);
  check();
  await promise;
  clearTimeout(timer);
}
