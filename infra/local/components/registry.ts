import type { Addresses, Graph } from "../graph.ts";
import { account, region } from "./names.ts";

/** Collects what the components register while the configuration runs. One evaluation a thread, so one registry. */
class Registry {
  #graph: Graph | undefined;
  #addresses: Addresses | undefined;

  begin(addresses: Addresses, stage: string): void {
    this.#addresses = addresses;
    this.#graph = {
      app: { name: "app", stage, region, account },
      queues: {},
      tables: {},
      buckets: {},
      functions: {},
      links: {},
      httpApis: {},
      socketApis: {},
      crons: {},
      topics: [],
      secrets: [],
      recorded: [],
    };
  }

  graph(): Graph {
    if (!this.#graph) throw new Error("A component was made outside of an evaluation.");
    return this.#graph;
  }

  get addresses(): Addresses {
    if (!this.#addresses) throw new Error("A component was made outside of an evaluation.");
    return this.#addresses;
  }

  /** Adds a node under its logical name. SST refuses a name used twice, and so do we. */
  add<Node extends { name: string }>(nodes: Record<string, Node>, node: Node): Node {
    if (nodes[node.name]) throw new Error(`Two components are called "${node.name}".`);
    nodes[node.name] = node;
    return node;
  }
}

export const registry = new Registry();

/** SST's `transform`: an object is laid over the arguments of the underlying resource, a function changes them. */
export type Transform<Args> = Partial<Args> | ((args: Args) => void) | undefined;

/** The arguments of a resource after its `transform`; a function changes the ones it is given. */
export function transformed<Args extends object>(args: Args, transform: Transform<Args>): Args {
  if (typeof transform === "function") {
    transform(args);
    return args;
  }
  return { ...args, ...transform };
}
