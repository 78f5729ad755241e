import { account, arn, region } from "./names.ts";
import { Output, resolveDeep } from "./output.ts";
import { registry } from "./registry.ts";

/** A raw Pulumi resource. Any property read from it is an output that names it; `arn` looks like one. */
function recordResource(type: string, name: string, args: unknown): object {
  registry.graph().recorded.push({ type, name, args: resolveDeep(args) });
  const [, service = "", resource = ""] = type.split(".");
  return new Proxy(
    {},
    {
      get: (_target, property) =>
        property === "arn"
          ? new Output(arn(service, `${resource.toLowerCase()}/${name}`))
          : new Output(property === "id" || property === "name" ? name : `${name}.${String(property)}`),
    },
  );
}

const service = (name: string) =>
  new Proxy(
    {},
    {
      get: (_target, resource) =>
        class {
          constructor(logical: string, args: unknown) {
            // A constructor may answer with another object: here the one whose every property is an output.
            // biome-ignore lint/correctness/noConstructorReturn: that is what makes any resource class possible
            return recordResource(`aws.${name}.${String(resource)}`, logical, args);
          }
        },
    },
  );

const known: Record<string, () => Output<Record<string, string>>> = {
  getRegionOutput: () => new Output({ region, name: region }),
  getPartitionOutput: () => new Output({ partition: "aws" }),
  getCallerIdentityOutput: () => new Output({ accountId: account }),
};

/**
 * The `aws` namespace. Resources without an engine (alarms, topic subscriptions, dashboards, KMS keys) are recorded and
 * nothing else: what they do on AWS, nobody does here.
 */
export const rawAws = new Proxy(
  {},
  {
    get: (_target, name) => {
      if (typeof name !== "string") return undefined;
      if (known[name]) return known[name];
      if (/^get[A-Z]/.test(name)) throw new Error(`aws.${name} has no local counterpart.`);
      return service(name);
    },
  },
);
