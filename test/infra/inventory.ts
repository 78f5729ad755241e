/** A stack in the words of its rules: what a Pulumi program declares and what the local home builds both reduce to it. */
export interface Inventory {
  readonly queues: Queue[];
  readonly subscriptions: Subscription[];
  readonly tables: Table[];
  readonly buckets: Bucket[];
  readonly functions: Lambda[];
  readonly routes: Route[];
  readonly authorizers: Authorizer[];
  readonly stages: Stage[];
  readonly timers: Timer[];
  readonly alarms: Alarm[];
  /** Names of the queues and tables the dashboard shows. */
  readonly onDashboard: string[];
  readonly keys: Key[];
  readonly secrets: string[];
}

export interface Queue {
  name: string;
  fifo: boolean;
  contentBasedDeduplication: boolean;
  /** `DeduplicationScope` and `FifoThroughputLimit` of high-throughput FIFO queues. */
  highThroughput: boolean;
  visibilitySeconds: number;
  retentionSeconds: number;
  delaySeconds: number;
  deadLetters?: { queue: string; maxReceiveCount: number } | undefined;
}

export interface Subscription {
  queue: string;
  handler: string;
  batchSize: number;
  windowSeconds: number;
  partialResponses: boolean;
  maximumConcurrency?: number | undefined;
  /** Whether its function may be invoked again and again by what it sends itself. */
  mayRecur: boolean;
}

export interface Table {
  name: string;
  hashKey: string;
  rangeKey?: string | undefined;
  attributes: Record<string, string>;
  indexes: Record<string, { hashKey: string; rangeKey?: string | undefined; projection: string[] | "all" }>;
  ttl?: string | undefined;
  pointInTimeRecovery: boolean;
  stream: boolean;
  deletionProtection: boolean;
}

export interface Bucket {
  name: string;
  blocksPublicAccess: boolean;
  deniesPlainHttp: boolean;
  expiresAfterDays: number[];
  versioned: boolean;
}

export interface Grant {
  effect: string;
  actions: string[];
  /** Logical resource names, with what follows them: `Ledger/index/due`. */
  resources: string[];
}

export interface Lambda {
  /** On AWS; the local home goes by handlers. */
  name: string;
  handler: string;
  timeoutSeconds: number;
  memoryMb: number;
  links: string[];
  environment: Record<string, string>;
  grants: Grant[];
  managedPolicies: string[];
  logRetentionDays?: number | undefined;
}

export interface Route {
  api: string;
  key: string;
  authorization: string;
  handler: string;
}

export interface Authorizer {
  api: string;
  kind: "JWT" | "REQUEST";
  issuer?: string | undefined;
  audiences: string[];
  /** Of a Lambda authorizer: what must be there before it is called at all. */
  identitySources: string[];
}

export interface Stage {
  api: string;
  accessLogFormat: string;
  dataTrace: boolean;
  loggingLevel: string;
  throttling: Throttling;
  /** Of routes that have limits of their own, by their keys. */
  throttledRoutes: Record<string, Throttling>;
}

export interface Throttling {
  burst?: number | undefined;
  /** Requests a second. */
  rate?: number | undefined;
}

export interface Timer {
  name: string;
  schedule: string;
  handler: string;
  retries: number;
  enabled: boolean;
}

export interface Alarm {
  name: string;
  queue: string;
  /** Name of the function on AWS, for an alarm on one. */
  lambda: string;
  /** Namespace and name, or what is worked out of several. */
  metric: string;
  comparison: string;
  threshold: number;
  actions: number;
}

export interface Key {
  name: string;
  rotates: boolean;
}
