import { type Link, type Linkable, type PermissionInclude, statement } from "./links.ts";
import { arn, megabytes, seconds } from "./names.ts";
import { type Input, known, Output } from "./output.ts";
import { registry } from "./registry.ts";

/** The arguments of `sst.aws.Function` that have a meaning here; the rest (runtime, bundling, log retention) has none. */
export interface FunctionArgs {
  handler: string;
  /** On AWS. Here a function goes by the name of what calls it. */
  name?: string;
  timeout?: string;
  memory?: string;
  environment?: Record<string, Input<string>>;
  link?: Linkable[];
  permissions?: PermissionInclude[];
}

const functionPrefix = arn("lambda", "function:");

/** Registers a function made from arguments, or finds the one whose ARN was given. @returns its logical name */
export function functionFrom(name: string, definition: Input<string> | FunctionArgs): string {
  if (definition instanceof Output || typeof definition === "string") {
    const text = known(definition);
    if (!text.startsWith(functionPrefix)) return register(name, { handler: text });
    const existing = text.slice(functionPrefix.length);
    if (!registry.graph().functions[existing]) throw new Error(`"${name}" refers to an unknown function.`);
    return existing;
  }
  return register(name, definition);
}

function register(name: string, args: FunctionArgs): string {
  const graph = registry.graph();
  const links = (args.link ?? []).map((linkable): Link => {
    const link = linkable.link();
    graph.links[link.name] ??= { name: link.name, secret: link.secret, properties: link.properties };
    return link;
  });
  registry.add(graph.functions, {
    name,
    functionName: args.name ?? name,
    arn: `${functionPrefix}${name}`,
    handler: args.handler,
    timeoutSeconds: seconds(args.timeout ?? "20 seconds"),
    memoryMb: megabytes(args.memory ?? "1024 MB"),
    environment: Object.fromEntries(Object.entries(args.environment ?? {}).map(([key, value]) => [key, known(value)])),
    links: links.map((link) => link.name),
    permissions: [...(args.permissions ?? []).map(statement), ...links.flatMap((link) => link.permissions)],
  });
  return name;
}

/** `sst.aws.Function` */
export class FunctionComponent {
  readonly name: Output<string>;
  readonly arn: Output<string>;

  constructor(name: string, args: FunctionArgs) {
    register(name, args);
    this.name = new Output(name);
    this.arn = new Output(`${functionPrefix}${name}`);
  }
}
