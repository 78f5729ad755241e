import type { Graph, Permission } from "../../infra/local/graph.ts";
import type { Inventory, Throttling } from "./inventory.ts";

/** What the local home realises of a stack; the rest (alarms, logs, public access, roles) exists on AWS alone. */
export type Realised = Pick<
  Inventory,
  "queues" | "subscriptions" | "tables" | "functions" | "routes" | "authorizers" | "timers" | "keys" | "secrets"
> & { buckets: { name: string; deniesPlainHttp: boolean; expiresAfterDays: number[] }[]; sockets: SocketSettings[] };

interface SocketSettings {
  api: string;
  dataTrace: boolean;
  loggingLevel: string;
  throttling: Throttling;
}

/** `Sync` of a queue's ARN, `Ledger/index/due` of an index's. */
function resourceName(graph: Graph, arn: string): string {
  const owners = [
    ...Object.values(graph.queues),
    ...Object.values(graph.tables),
    ...Object.values(graph.buckets),
    ...Object.values(graph.socketApis).map(({ name, executionArn }) => ({ name, arn: executionArn })),
    ...Object.values(graph.functions).map(({ functionName }) => ({
      name: functionName.replace(`${graph.app.name}-${graph.app.stage}-`, ""),
      arn: `:function:${functionName}`,
    })),
    ...keyNames(graph).map((name) => ({ name, arn: `key/${name}Key` })),
  ];
  const owner = owners.find((candidate) => arn.includes(candidate.arn));
  if (!owner) throw new Error(`the local home has no resource ${arn}`);
  return owner.name + arn.slice(arn.indexOf(owner.arn) + owner.arn.length);
}

const keyNames = (graph: Graph) =>
  graph.recorded.filter(({ type }) => type === "aws.kms.Key").map(({ name }) => name.replace(/Key$/, ""));

const recurring = (graph: Graph) =>
  graph.recorded
    .filter(({ type }) => type === "aws.lambda.FunctionRecursionConfig")
    .map(({ args }) =>
      typeof args === "object" && args !== null && "functionName" in args ? String(args.functionName) : "",
    );

const grantsOf = (graph: Graph, permissions: readonly Permission[]) =>
  permissions.map(({ actions, resources }) => ({
    effect: "Allow",
    actions,
    resources: resources.map((arn) => resourceName(graph, arn)),
  }));

/** Reduces the local home's graph to the inventory it shares with the deployed stack. */
export function realisedLocally(graph: Graph): Realised {
  const handlerOf = (name: string) => {
    const found = graph.functions[name];
    if (!found) throw new Error(`the local home has no function ${name}`);
    return found.handler;
  };
  const queues = Object.values(graph.queues);
  const sockets = Object.values(graph.socketApis);
  return {
    queues: queues.map((queue) => ({
      name: queue.name,
      fifo: queue.fifo,
      contentBasedDeduplication: queue.contentBasedDeduplication,
      highThroughput: queue.deduplicationScope === "messageGroup" && queue.fifoThroughputLimit === "perMessageGroupId",
      visibilitySeconds: queue.visibilityTimeoutSeconds,
      retentionSeconds: queue.messageRetentionSeconds,
      delaySeconds: queue.delaySeconds,
      deadLetters: queue.redrive && {
        queue: resourceName(graph, queue.redrive.deadLetterArn).replace(/\.fifo$/, ""),
        maxReceiveCount: queue.redrive.maxReceiveCount,
      },
    })),
    subscriptions: queues.flatMap(({ name, subscriber }) =>
      subscriber
        ? [
            {
              queue: name,
              handler: handlerOf(subscriber.function),
              batchSize: subscriber.batchSize,
              windowSeconds: subscriber.windowSeconds,
              partialResponses: subscriber.partialResponses,
              maximumConcurrency: subscriber.maximumConcurrency,
              mayRecur: recurring(graph).includes(graph.functions[subscriber.function]?.functionName ?? ""),
            },
          ]
        : [],
    ),
    tables: Object.values(graph.tables).map((table) => ({
      name: table.name,
      hashKey: table.hashKey,
      rangeKey: table.rangeKey,
      attributes: table.attributes,
      indexes: Object.fromEntries(
        Object.entries(table.indexes).map(([name, { hashKey, rangeKey, projection }]) => [
          name,
          {
            hashKey,
            rangeKey,
            projection: projection === "ALL" ? "all" : projection === "KEYS_ONLY" ? [] : projection,
          } as const,
        ]),
      ),
      ttl: table.ttl,
      pointInTimeRecovery: table.pointInTimeRecovery,
      // A table with a stream is refused when the graph is made.
      stream: false,
      deletionProtection: table.deletionProtection,
    })),
    buckets: Object.values(graph.buckets).map(({ name, enforceHttps, lifecycle }) => ({
      name,
      deniesPlainHttp: enforceHttps,
      expiresAfterDays: lifecycle.flatMap(({ expiresInSeconds: s }) => (s === undefined ? [] : [s / 86_400])),
    })),
    functions: Object.values(graph.functions).map((lambda) => ({
      name: lambda.functionName,
      handler: lambda.handler,
      timeoutSeconds: lambda.timeoutSeconds,
      memoryMb: lambda.memoryMb,
      links: [...lambda.links].sort(),
      environment: lambda.environment,
      grants: grantsOf(graph, lambda.permissions),
      managedPolicies: [],
    })),
    routes: [
      ...Object.values(graph.httpApis).flatMap(({ name, routes }) =>
        routes.map((route) => ({
          api: name,
          key: route.route,
          authorization: route.jwt ? "JWT" : "NONE",
          handler: handlerOf(route.function),
        })),
      ),
      ...sockets.flatMap(({ name, routes }) =>
        Object.entries(routes).map(([key, route]) => ({
          api: name,
          key,
          authorization: route.authorizer ? "CUSTOM" : "NONE",
          handler: handlerOf(route.function),
        })),
      ),
    ],
    authorizers: [
      ...Object.values(graph.httpApis).flatMap(({ name, authorizers }) =>
        Object.values(authorizers).map(({ issuer, audiences }) => ({
          api: name,
          kind: "JWT" as const,
          issuer,
          audiences,
          identitySources: [],
        })),
      ),
      ...sockets.flatMap(({ name, authorizers }) =>
        Object.values(authorizers).map(({ identitySources }) => ({
          api: name,
          kind: "REQUEST" as const,
          audiences: [],
          identitySources,
        })),
      ),
    ],
    sockets: sockets.map(({ name, stage }) => socketSettings(name, stage["defaultRouteSettings"])),
    timers: Object.values(graph.crons).map(({ name, schedule, function: target, retries, enabled }) => ({
      name,
      schedule,
      handler: handlerOf(target),
      retries,
      enabled,
    })),
    keys: graph.recorded
      .filter(({ type }) => type === "aws.kms.Key")
      .map(({ name, args }) => ({
        name: name.replace(/Key$/, ""),
        rotates:
          typeof args === "object" && args !== null && "enableKeyRotation" in args && args.enableKeyRotation === true,
      })),
    secrets: graph.secrets,
  };
}

function socketSettings(api: string, stage: unknown): SocketSettings {
  const settings: Record<string, unknown> = typeof stage === "object" && stage !== null ? { ...stage } : {};
  const number = (value: unknown) => (typeof value === "number" ? value : undefined);
  return {
    api,
    dataTrace: settings["dataTraceEnabled"] === true,
    loggingLevel: String(settings["loggingLevel"] ?? "OFF"),
    throttling: { burst: number(settings["throttlingBurstLimit"]), rate: number(settings["throttlingRateLimit"]) },
  };
}

/** The same part of a deployed stack's inventory. */
export function realisedOf(stack: Inventory): Realised {
  const { queues, subscriptions, tables, routes, authorizers, timers, keys, secrets } = stack;
  return {
    queues,
    subscriptions,
    tables,
    buckets: stack.buckets.map(({ name, deniesPlainHttp, expiresAfterDays }) => ({
      name,
      deniesPlainHttp,
      expiresAfterDays,
    })),
    functions: stack.functions.map(({ logRetentionDays, ...lambda }) => ({ ...lambda, managedPolicies: [] })),
    routes,
    authorizers,
    sockets: stack.stages
      .filter(({ api }) => routes.some((route) => route.api === api && route.key === "$connect"))
      .map(({ api, dataTrace, loggingLevel, throttling }) => ({ api, dataTrace, loggingLevel, throttling })),
    timers,
    keys,
    secrets,
  };
}
