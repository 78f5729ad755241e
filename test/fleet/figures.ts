import { socketLimits } from "../../events/frames/limits.ts";
import type { CronNode, FunctionNode, Graph, QueueNode } from "../../infra/local/graph.ts";
import { shards } from "../../shared/keys.ts";
import { delays } from "../../shared/outcome/delays.ts";
import { retryPolicies } from "../../shared/outcome/next-try.ts";
import { runLifeMs } from "../../shared/run-history.ts";
import { gmailLimits } from "../../shared/scouts/connectors/gmail/connector.ts";
import { rowLifeSeconds } from "../../shared/scouts/items/item-row.ts";
import { defaultIntervalMs } from "../../shared/scouts/sync/schedule.ts";
import type { Figures as Counted } from "../cost/figures.ts";
import type { Habits } from "../cost/habits.ts";

/** Read from the product's definitions; counted in a run of the product; written by who runs the service; or nobody knows. */
export type Origin = "defined" | "measured" | "published" | "assumed";

export interface Figure {
  readonly value: number;
  readonly unit: string;
  readonly origin: Origin;
  readonly source: string;
}

type Source = readonly [value: number, unit: string, source: string];

/**
 * All that the model takes of the product and of the world. What a limit is stands in limits.ts, how a day goes in day.ts.
 *
 * @param graph what `sst.config.ts` comes to
 * @param counted requests of a run of the local home (test/cost/measured.json)
 */
export function figuresOf(graph: Graph, counted: Counted, habits: Habits) {
  const sync = queueOf(graph, "Sync");
  const triage = queueOf(graph, "Triage");
  const { alone, emptySync } = counted;
  const of = (operation: string, requests: Counted["alone"]) => requests[operation] ?? 0;
  const writes = (requests: Counted["alone"]) => of("dynamodb:UpdateItem", requests) + of("dynamodb:PutItem", requests);
  return {
    ...all("assumed", {
      mailsADay: [habits.mailsADay, "mails a person", "test/cost/habits.ts"],
      relevantShare: [habits.relevantShare, "of the mail", "test/cost/habits.ts"],
      devices: [habits.devices, "a person", "test/cost/habits.ts"],
      connectedHoursADay: [habits.connectedHoursADay, "hours a device", "test/cost/habits.ts"],
      newsletterShare: [0.3, "of the mail, at round hours", "test/fleet/day.ts says when"],
      webhookSeconds: [0.05, "s", "a warm function: one read, one send; 13 ms on one machine"],
      syncSeconds: [0.5, "s a batch", "two answers of Gmail, then three writes"],
      triageSeconds: [2.5, "s a batch", "a batch side by side, a model that answers within two"],
      socketSeconds: [0.03, "s", "a warm function: a query, a post"],
      spread: [0.35, "of ln s", "how much services vary around these"],
      pollsASecond: [20_000 / 60, "scouts/s", "cron/poll: hundred rows a read, a third of a second each"],
      metricSeconds: [60, "s", "CloudWatch tells the age of a queue's oldest message once a minute"],
      copiedASecond: [10_000, "rows/s", "a quarter of a table's 40,000 writes: a copy is to disturb nobody"],
      leaseSeconds: [180, "s", "until another takes up the move of one that died; as long as a watch's lease"],
    }),
    ...all("measured", {
      tokensAMail: [habits.triageTokens.input + habits.triageTokens.output, "tokens", "test/cost/habits.ts: real mail"],
      writesASync: [writes(emptySync), "writes", "measured.json, emptySync: an upper bound"],
      writesAMail: [writes(alone) - writes(emptySync), "writes beside its sync", "measured.json, alone"],
      postsARelevantMail: [of("websocket:PostToConnection", alone), "posts a device", "measured.json, alone"],
    }),
    ...all("defined", {
      syncBatch: [batchOf(sync), "messages", "infra/workers.ts"],
      triageBatch: [batchOf(triage), "messages", "infra/workers.ts"],
      syncConcurrency: [concurrencyOf(sync), "executions", "infra/settings.ts, SYNC_CONCURRENCY"],
      triageConcurrency: [concurrencyOf(triage), "executions", "infra/settings.ts, TRIAGE_CONCURRENCY"],
      keptSeconds: [triage.messageRetentionSeconds, "s", "infra/queues.ts: SQS drops what waited longer"],
      workerSeconds: [workerOf(graph, sync).timeoutSeconds, "s", "infra/queues.ts, the longest of a worker"],
      pollEverySeconds: [everySeconds(graph.crons["Poll"]), "s", "infra/crons.ts"],
      pollIntervalSeconds: [defaultIntervalMs / 1000, "s a scout", "shared/scouts/sync/schedule.ts"],
      itemFaults: [retryPolicies.items.maxFaults, "tries", "shared/outcome/next-try.ts"],
      rateLimitedSeconds: [delays.rateLimited / 1000, "s", "shared/outcome/delays.ts"],
      gmailUnitsARead: [gmailLimits.costs.read, "units", "shared/scouts/connectors/gmail/connector.ts"],
      dueShards: [shards, "shards", "shared/keys.ts"],
      pullEverySeconds: [socketLimits.pingEveryMs / 1000, "s a device", "events/frames/limits.ts"],
      connectionSeconds: [(socketLimits.lifeMs / 1000) * 0.9, "s", "events/frames/limits.ts, 85 to 95 % of its life"],
      pushRetryLeast: [10, "s", "docs/connect-gmail.md: retries from 10 s to 10 min"],
      pushRetryMost: [600, "s", "as above"],
      itemRowDays: [rowLifeSeconds / 86_400, "days", "shared/scouts/items/item-row.ts"],
      runRowDays: [runLifeMs / 86_400_000, "days", "shared/run-history.ts"],
    }),
    ...all("published", {
      gmailUnitsASync: [2, "units", "Gmail API, Usage limits: history.list"],
      gmailUnitsAWatch: [100, "units a day", "Gmail API, Usage limits: users.watch, renewed daily"],
      dueWritesAChange: [2, "index writes", "DynamoDB, Global secondary indexes: a changed key is deleted and put"],
      pollersASecond: [5, "executions/s", "Lambda, Scaling for SQS: 300 a minute for a standard queue"],
      readyPollersASecond: [
        1_000 / 60,
        "executions/s",
        "Lambda, Scaling for SQS: provisioned mode, three times as fast",
      ],
      executionsASecond: [100, "executions/s", "Lambda, Scaling behaviour: 1,000 every 10 s a function"],
      gatewayBurst: [5_000, "requests", "API Gateway quotas: the bucket above the rate"],
    }),
  } as const;
}

export type Figures = ReturnType<typeof figuresOf>;
export type FigureName = keyof Figures;
export type Values = Readonly<Record<FigureName, number>>;

export function valuesOf(figures: Figures): Values {
  // Object.fromEntries forgets the names.
  return Object.fromEntries(Object.entries(figures).map(([name, { value }]) => [name, value])) as Values;
}

function all<const T extends Record<string, Source>>(
  origin: Origin,
  sources: T,
): { readonly [Name in keyof T]: Figure } {
  const figures = Object.entries(sources).map(([name, [value, unit, source]]) => [
    name,
    { value, unit, origin, source },
  ]);
  return Object.fromEntries(figures) as { readonly [Name in keyof T]: Figure };
}

function queueOf(graph: Graph, name: string): QueueNode {
  return there(graph.queues[name], `queue ${name}`);
}

function workerOf(graph: Graph, { name, subscriber }: QueueNode): FunctionNode {
  return there(graph.functions[there(subscriber, `subscriber of ${name}`).function], `worker of ${name}`);
}

function batchOf({ name, subscriber }: QueueNode): number {
  return there(subscriber, `subscriber of ${name}`).batchSize;
}

function concurrencyOf({ name, subscriber }: QueueNode): number {
  return there(subscriber?.maximumConcurrency, `concurrency of ${name}`);
}

function everySeconds(cron: CronNode | undefined): number {
  const minutes = /^rate\((\d+) minutes?\)$/.exec(there(cron, "cron").schedule)?.[1];
  return Number(there(minutes, "schedule in minutes")) * 60;
}

function there<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`sst.config.ts has no ${what}: the model of the fleet has to follow it`);
  return value;
}
