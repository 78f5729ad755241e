import type { Permission } from "../graph.ts";
import { type Input, known, Output, resolveDeep } from "./output.ts";
import { registry } from "./registry.ts";

/** What a component hands to a function that links it: properties, and the rights SST grants with it. */
export interface Link {
  name: string;
  secret: boolean;
  properties: Record<string, unknown>;
  permissions: Permission[];
}

export interface Linkable {
  link(): Link;
}

/** `sst.aws.permission`: rights that a function or a `Linkable` includes. */
export interface PermissionInclude {
  type: "aws.permission";
  actions: string[];
  resources: Input<string>[];
}

/** What a linked resource lets its functions do, as SST's `include` takes it. */
export const permission = (input: { actions: string[]; resources: Input<string>[] }): PermissionInclude => ({
  type: "aws.permission",
  ...input,
});

/** The same as a statement of a function's role: ARNs are known by now. */
export const statement = (include: { actions: string[]; resources: Input<string>[] }): Permission => ({
  actions: [...include.actions],
  resources: include.resources.map(known),
});

/** `sst.Linkable`: a name with properties of one's own. */
export class LinkableComponent implements Linkable {
  readonly #name: string;
  readonly #definition: { properties: Record<string, unknown>; include?: PermissionInclude[] };

  constructor(name: string, definition: { properties: Record<string, unknown>; include?: PermissionInclude[] }) {
    this.#name = name;
    this.#definition = definition;
  }

  link(): Link {
    return {
      name: this.#name,
      secret: false,
      properties: Object.fromEntries(
        Object.entries(this.#definition.properties).map(([key, value]) => [key, resolveDeep(value)]),
      ),
      permissions: (this.#definition.include ?? []).map(statement),
    };
  }
}

/** `sst.Secret`: its value goes to the functions that link it and is no part of the graph. */
export class Secret implements Linkable {
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
    registry.graph().secrets.push(name);
  }

  get name(): Output<string> {
    return new Output(this.#name);
  }

  get value(): Output<string> {
    throw new Error(`The value of the secret "${this.#name}" was used in the configuration: link the secret instead.`);
  }

  link(): Link {
    return { name: this.#name, secret: true, properties: {}, permissions: [] };
  }
}
