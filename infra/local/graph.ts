import { Worker } from "node:worker_threads";
import { codeOf, isBuilt, repositoryRoot } from "./built/built-code.ts";
import { LocalHomeError } from "./errors.ts";
import { settingsOfThisMachine } from "./settings-of-this-machine.ts";

/** An IAM statement as `sst.aws.permission` writes it. */
export interface Permission {
  actions: string[];
  resources: string[];
}

export interface QueueNode {
  name: string;
  /** Name in SQS: a FIFO queue's ends in `.fifo`. */
  queueName: string;
  url: string;
  arn: string;
  fifo: boolean;
  contentBasedDeduplication: boolean;
  visibilityTimeoutSeconds: number;
  delaySeconds: number;
  messageRetentionSeconds: number;
  deduplicationScope?: string;
  fifoThroughputLimit?: string;
  redrive?: { deadLetterArn: string; maxReceiveCount: number };
  subscriber?: {
    function: string;
    batchSize: number;
    windowSeconds: number;
    partialResponses: boolean;
    maximumConcurrency?: number;
  };
}

export type AttributeType = "S" | "N" | "B";

export interface IndexNode {
  hashKey: string;
  rangeKey?: string;
  projection: "ALL" | "KEYS_ONLY" | string[];
}

export interface TableNode {
  name: string;
  tableName: string;
  arn: string;
  attributes: Record<string, AttributeType>;
  hashKey: string;
  rangeKey?: string;
  indexes: Record<string, IndexNode>;
  ttl?: string;
  pointInTimeRecovery: boolean;
  deletionProtection: boolean;
}

export interface BucketNode {
  name: string;
  bucketName: string;
  arn: string;
  enforceHttps: boolean;
  lifecycle: { id?: string; prefix?: string; expiresInSeconds?: number }[];
}

export interface FunctionNode {
  name: string;
  /** What AWS calls it. */
  functionName: string;
  arn: string;
  /** `path/to/file.export`, relative to the folder of `sst.config.ts`. */
  handler: string;
  timeoutSeconds: number;
  memoryMb: number;
  environment: Record<string, string>;
  /** Names of entries in `links`. */
  links: string[];
  permissions: Permission[];
}

/** What a linked name hands to a function as `SST_RESOURCE_<Name>`. A secret's value is never part of the graph. */
export interface LinkNode {
  name: string;
  secret: boolean;
  properties: Record<string, unknown>;
}

export interface HttpApiNode {
  name: string;
  url: string;
  authorizers: Record<string, { issuer: string; audiences: string[] }>;
  routes: { route: string; function: string; jwt?: { authorizer: string; scopes: string[] } }[];
}

export interface SocketApiNode {
  name: string;
  url: string;
  managementEndpoint: string;
  executionArn: string;
  stage: Record<string, unknown>;
  authorizers: Record<string, { function: string; identitySources: string[] }>;
  routes: Record<string, { function: string; authorizer?: string }>;
}

export interface CronNode {
  name: string;
  function: string;
  schedule: string;
  timezone: string;
  retries: number;
  enabled: boolean;
  event: unknown;
}

/** A raw Pulumi resource the home has no engine for: written down so that the graphs compare, nothing more. */
export interface RecordedNode {
  type: string;
  name: string;
  args: unknown;
}

/** Everything `sst.config.ts` asks for, with every value resolved: plain data, by logical name. */
export interface Graph {
  app: { name: string; stage: string; region: string; account: string };
  queues: Record<string, QueueNode>;
  tables: Record<string, TableNode>;
  buckets: Record<string, BucketNode>;
  functions: Record<string, FunctionNode>;
  links: Record<string, LinkNode>;
  httpApis: Record<string, HttpApiNode>;
  socketApis: Record<string, SocketApiNode>;
  crons: Record<string, CronNode>;
  topics: string[];
  secrets: string[];
  recorded: RecordedNode[];
}

/** Where the engines and the gateway listen; known before the graph is evaluated, so every output is a plain value. */
export interface Addresses {
  sqs: string;
  http: string;
  socket: string;
  management: string;
}

export interface EvaluateOptions {
  /** The deploying environment, what `infra/settings.ts` reads; what it leaves out is {@link settingsOfThisMachine}. */
  environment?: Record<string, string>;
  /** Absolute path of the config; default the one of this repository. */
  configFile?: string;
  addresses?: Addresses;
  stage?: string;
}

const nowhere: Addresses = {
  sqs: "http://127.0.0.1:1",
  http: "http://127.0.0.1:1",
  socket: "ws://127.0.0.1:1/socket",
  management: "http://127.0.0.1:1/socket",
};

export type EvaluationReply = { graph: Graph } | { failure: string };

/**
 * Runs `sst.config.ts` against the components in `components/` and returns what it registered.
 *
 * Each evaluation gets a thread of its own: `infra/*.ts` are modules with state (`new sst.aws.Queue` at top level, an
 * environment read once), and a thread is the one place where all of them are loaded anew.
 *
 * @throws LocalHomeError `config_invalid` with the reason, for example an SST component that has no local counterpart.
 */
export function evaluate(options: EvaluateOptions = {}): Promise<Graph> {
  const { promise, resolve, reject } = Promise.withResolvers<Graph>();
  const built = isBuilt(repositoryRoot);
  const worker = new Worker(codeOf(built, "infra/local/evaluation"), {
    workerData: {
      configFile: options.configFile ?? codeOf(built, "sst.config"),
      addresses: options.addresses ?? nowhere,
      stage: options.stage ?? "local",
    },
    env: { ...settingsOfThisMachine, ...options.environment },
    execArgv: [],
  });
  const fail = (reason: string) => reject(new LocalHomeError("config_invalid", reason));
  worker.once("message", (reply: EvaluationReply) => {
    if ("graph" in reply) resolve(reply.graph);
    else fail(reply.failure);
  });
  worker.once("error", (error) => fail(error instanceof Error ? error.message : String(error)));
  worker.once("exit", () => fail("the configuration ended its own thread"));
  return promise.finally(() => worker.terminate());
}
