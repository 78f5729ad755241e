import type { Values } from "./figures.ts";

/** Whom a limit belongs to: one deployment's own setting or design, its AWS account in its region, or everybody together. */
export type Scope = "deployment" | "account" | "everybody";

export interface Limit {
  readonly name: string;
  readonly unit: string;
  readonly scope: Scope;
  /** As a deployment and its accounts begin. */
  readonly asBegun: number;
  /** What a deployment at scale is taken to have been granted, or to have set. */
  readonly raised: number;
  /** Over so many seconds it counts: what is queued may be above it for a moment. */
  readonly windowSeconds: number;
  readonly lift: string;
  readonly source: string;
}

/**
 * Limits in the order in which a mail passes them, as their services publish them in November 2026; the pages are
 *
 * - Lambda: docs.aws.amazon.com/lambda/latest/dg/ `gettingstarted-limits`, `scaling-behavior`, `services-sqs-scaling`
 * - SQS: docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/ `quotas-messages`, `quotas-queues`
 * - DynamoDB: docs.aws.amazon.com/amazondynamodb/latest/developerguide/ `ServiceQuotas`, `bp-partition-key-design`
 * - API Gateway: docs.aws.amazon.com/apigateway/latest/developerguide/ `limits`, `apigateway-execution-service-websocket-limits-table`
 * - Gmail: developers.google.com/workspace/gmail/api/reference/quota (projects made since May 2026)
 * - OpenAI: the page of the model, by usage tier
 */
export function limitsOf(values: Values) {
  return {
    gateway: {
      name: "API Gateway, requests (HTTP, socket, posts)",
      unit: "requests/s",
      scope: "account",
      asBegun: 10_000,
      raised: 50_000,
      windowSeconds: 1,
      lift: "a quota request; a cell",
      source: "API Gateway quotas; 2,500 in younger regions",
    },
    connections: {
      name: "API Gateway, new socket connections",
      unit: "connections/s",
      scope: "account",
      asBegun: 500,
      raised: 5_000,
      windowSeconds: 1,
      lift: "a quota request; a cell",
      source: "API Gateway WebSocket quotas",
    },
    executions: {
      name: "Lambda, concurrent executions",
      unit: "executions",
      scope: "account",
      asBegun: 1_000,
      raised: 10_000,
      windowSeconds: 10,
      lift: "a quota request; a cell",
      source: "Lambda quotas; new accounts may have 10",
    },
    polls: {
      name: "Poll: one invocation a minute reads all that is due",
      unit: "scouts/s",
      scope: "deployment",
      asBegun: values.pollsASecond,
      raised: values.pollsASecond,
      windowSeconds: 60,
      lift: "an invocation a shard; a cell",
      source: "assumed, see figures",
    },
    syncMessages: {
      name: "SQS, messages of the FIFO queue Sync",
      unit: "messages/s",
      scope: "account",
      asBegun: 70_000,
      raised: 70_000,
      windowSeconds: 1,
      lift: "sends of ten; a cell",
      source: "SQS message quotas: high throughput in us-east-1, Oregon, Ireland; 19,000 in Frankfurt",
    },
    syncConcurrency: {
      name: "Sync workers at once",
      unit: "executions",
      scope: "deployment",
      asBegun: values.syncConcurrency,
      raised: 1_000,
      windowSeconds: 60,
      lift: "`SYNC_CONCURRENCY`, up to 1,000; a cell",
      source: "infra/settings.ts",
    },
    dueWrites: {
      name: "DynamoDB, writes of the index `due`",
      unit: "writes/s",
      scope: "deployment",
      asBegun: values.dueShards * 1_000,
      raised: values.dueShards * 1_000,
      windowSeconds: 60,
      lift: "more `shards` in shared/keys.ts; a cell",
      source: "DynamoDB: 1,000 a partition, by 8 shards",
    },
    tableWrites: {
      name: "DynamoDB, writes of a table",
      unit: "writes/s",
      scope: "account",
      asBegun: 40_000,
      raised: 120_000,
      windowSeconds: 60,
      lift: "a quota request, throughput warmed before; a cell",
      source: "DynamoDB quotas, on demand; a new table begins with 4,000",
    },
    triageConcurrency: {
      name: "Triage workers at once",
      unit: "executions",
      scope: "deployment",
      asBegun: values.triageConcurrency,
      raised: 1_000,
      windowSeconds: 60,
      lift: "`TRIAGE_CONCURRENCY`, up to 1,000; then Lambda's provisioned pollers; a cell",
      source: "infra/settings.ts",
    },
    inFlight: {
      name: "SQS, messages of a queue in flight",
      unit: "messages",
      scope: "account",
      asBegun: 120_000,
      raised: 120_000,
      windowSeconds: 60,
      lift: "a cell",
      source: "SQS queue quotas",
    },
    gmailUnits: {
      name: "Gmail, quota units of a project in a minute",
      unit: "units/s",
      scope: "everybody",
      asBegun: 1_200_000 / 60,
      raised: 60_000_000 / 60,
      windowSeconds: 60,
      lift: "Google, on request; a cell does not",
      source: "Gmail API, Usage limits",
    },
    gmailDay: {
      name: "Gmail, units of a project in a day before it costs money",
      unit: "units",
      scope: "everybody",
      asBegun: 80_000_000,
      raised: 80_000_000,
      windowSeconds: 86_400,
      lift: "nothing: Google raises it for nobody; beyond it mail has a price",
      source: "Gmail API, Usage limits: daily billing threshold",
    },
    modelTokens: {
      name: "gpt-4o-mini, tokens of an organisation (tier 5)",
      unit: "tokens/s",
      scope: "everybody",
      asBegun: 150_000_000 / 60,
      raised: 1_500_000_000 / 60,
      windowSeconds: 60,
      lift: "a contract; servers of one's own behind `OPENAI_BASE_URL`; a cell only with one of its own",
      source: "OpenAI, the model's page",
    },
  } as const satisfies Record<string, Limit>;
}

export type LimitName = keyof ReturnType<typeof limitsOf>;
/** How much there is of each, for one cell. */
export type Budgets = Readonly<Record<LimitName, number>>;

export const grants = ["asBegun", "raised"] as const;
export type Grant = (typeof grants)[number];

/** What a cell may use: all of what is its own, its people's share of what everybody shares. */
export function budgetsOf(limits: Readonly<Record<LimitName, Limit>>, grant: Grant, shareOfPeople: number): Budgets {
  return eachLimit(limits, (_, limit) => (limit.scope === "everybody" ? limit[grant] * shareOfPeople : limit[grant]));
}

/** Something for each limit. */
export function eachLimit<T>(limits: Readonly<Record<LimitName, Limit>>, of: (name: LimitName, limit: Limit) => T) {
  const names = Object.keys(limits) as LimitName[];
  return Object.fromEntries(names.map((name) => [name, of(name, limits[name])])) as Record<LimitName, T>;
}

/** A world without limits: shows what people ask for. */
export const unlimited = (limits: Readonly<Record<LimitName, Limit>>): Budgets =>
  eachLimit(limits, () => Number.POSITIVE_INFINITY);
