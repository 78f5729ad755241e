import type { AttributeType, TableNode } from "../graph.ts";
import type { Link, Linkable } from "./links.ts";
import { arn } from "./names.ts";
import { Output } from "./output.ts";
import { registry, type Transform, transformed } from "./registry.ts";

interface NativeTable {
  pointInTimeRecovery: { enabled: boolean };
  deletionProtectionEnabled: boolean;
}

export interface DynamoArgs {
  fields: Record<string, "string" | "number" | "binary">;
  primaryIndex: { hashKey: string; rangeKey?: string };
  globalIndexes?: Record<string, { hashKey: string; rangeKey?: string; projection?: "all" | "keys-only" | string[] }>;
  ttl?: string;
  deletionProtection?: boolean;
  transform?: { table?: Transform<NativeTable> };
}

const attributeTypes: Record<string, AttributeType> = { string: "S", number: "N", binary: "B" };

/** `sst.aws.Dynamo`. Local indexes and streams have no local counterpart and are refused. */
export class Dynamo implements Linkable {
  readonly #node: TableNode;

  constructor(name: string, args: DynamoArgs) {
    for (const unsupported of ["localIndexes", "stream"]) {
      if (unsupported in args) throw new Error(`The table "${name}" has "${unsupported}", which the local home lacks.`);
    }
    const native = transformed<NativeTable>(
      { pointInTimeRecovery: { enabled: true }, deletionProtectionEnabled: args.deletionProtection ?? false },
      args.transform?.table,
    );
    this.#node = registry.add(registry.graph().tables, {
      name,
      tableName: name,
      arn: arn("dynamodb", `table/${name}`),
      attributes: Object.fromEntries(
        Object.entries(args.fields).map(([field, type]) => [field, attributeTypes[type] ?? "S"]),
      ),
      ...args.primaryIndex,
      indexes: Object.fromEntries(
        Object.entries(args.globalIndexes ?? {}).map(([index, { projection, ...keys }]) => [
          index,
          {
            ...keys,
            projection: Array.isArray(projection) ? projection : projection === "keys-only" ? "KEYS_ONLY" : "ALL",
          },
        ]),
      ),
      ...(args.ttl === undefined ? {} : { ttl: args.ttl }),
      pointInTimeRecovery: native.pointInTimeRecovery.enabled,
      deletionProtection: native.deletionProtectionEnabled,
    });
  }

  get name(): Output<string> {
    return new Output(this.#node.tableName);
  }
  get arn(): Output<string> {
    return new Output(this.#node.arn);
  }
  get nodes() {
    return { table: { name: this.name, arn: this.arn } };
  }

  link(): Link {
    return {
      name: this.#node.name,
      secret: false,
      properties: { name: this.#node.tableName },
      permissions: [{ actions: ["dynamodb:*"], resources: [this.#node.arn, `${this.#node.arn}/*`] }],
    };
  }
}
