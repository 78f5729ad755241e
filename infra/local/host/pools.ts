import type { Principals } from "../engines/access.ts";
import type { CrashPoint } from "../faults.ts";
import type { FunctionNode, Graph } from "../graph.ts";
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
 * A pool for every function of the graph.
 *
 * @throws LocalHomeError `config_invalid` when a linked secret has no value
 */
export function createPools(options: PoolsOptions): Pools {
  const { graph, principals, secrets, endpoints, size, ...shared } = options;
  const environment = (node: FunctionNode) =>
    functionEnvironment(node, graph, secrets, endpoints, principals.create(node.name, node.permissions));
  // Missing secrets are the start's failure, not the first invocation's.
  for (const node of Object.values(graph.functions)) environment(node);
  return new Map(
    Object.values(graph.functions).map((node) => [
      node.name,
      new FunctionPool(node, { ...shared, environment, size: size(node.name) }),
    ]),
  );
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
