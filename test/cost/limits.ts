import { socketLimits } from "../../events/frames.ts";
import type { Habits } from "./habits.ts";

/** A quota of an outside service, what a person takes of it at the busiest time, and what lifts it. */
export interface Limit {
  readonly name: string;
  /** In `unit`. */
  readonly most: number;
  readonly unit: string;
  readonly source: string;
  readonly lift: string;
  /** What one person adds at the peak, in `unit`. */
  readonly perPerson: (habits: Habits) => number;
}

const secondsADay = 86_400;
const peakPerSecond = (perDay: number, { peakFactor }: Habits) => (perDay * peakFactor) / secondsADay;

/** Quotas as of November 2026, each service's quota page; accounts begin with them. */
export const limits: readonly Limit[] = [
  {
    name: "Gmail API, quota units of a project",
    most: 1_200_000 / 60,
    unit: "units/s",
    source: "Gmail API usage limits",
    lift: "ask Google for more; several Cloud projects, each with its topic",
    // A read of 20 and its share of history and watch calls.
    perPerson: (habits) => peakPerSecond(habits.mailsADay * 24, habits),
  },
  {
    name: "Lambda, concurrent executions",
    most: 1_000,
    unit: "executions",
    source: "Lambda quotas; triage batches are full by then",
    lift: "a quota request; tens of thousands are usual",
    perPerson: (habits) => peakPerSecond(habits.mailsADay * (2.5 / 10 + 0.2), habits),
  },
  {
    name: "API Gateway WebSocket, new connections",
    most: 500,
    unit: "connections/s",
    source: "API Gateway quotas",
    lift: "a quota request; devices come back with full jitter",
    perPerson: (habits) => peakPerSecond((habits.devices * habits.connectedHoursADay) / 1.8, habits),
  },
  {
    name: "API Gateway, requests of an account in a region",
    most: 10_000,
    unit: "requests/s",
    source: "API Gateway quotas",
    lift: "a quota request; more than one region",
    // Pulls and their pages; of a mail its push, its post, its ack and the answer to that.
    perPerson: (habits) => {
      const pulls = (habits.devices * habits.connectedHoursADay * 3_600_000) / socketLimits.pingEveryMs;
      return peakPerSecond(2 * pulls + habits.mailsADay * (1 + 3 * habits.relevantShare), habits);
    },
  },
  {
    name: "DynamoDB, writes of a table on demand",
    most: 40_000,
    unit: "writes/s",
    source: "DynamoDB quotas",
    lift: "a quota request; pre-warmed throughput",
    // Eight of a mail that comes alone, two of one in a burst.
    perPerson: (habits) => peakPerSecond(habits.mailsADay * 8, habits),
  },
  {
    name: "DynamoDB, writes of the `due` index (8 shards)",
    most: 8 * 1_000,
    unit: "writes/s",
    source: "DynamoDB, 1,000 a partition",
    lift: "more shards: `shards` in shared/keys.ts, read by every cron",
    // A scout's next run is written by a sync run; items are in it only while they wait.
    perPerson: (habits) => peakPerSecond(habits.timedSyncsADay + habits.mailsADay * 0.1, habits),
  },
  {
    name: "SQS FIFO, high throughput, Sync",
    most: 70_000,
    unit: "messages/s",
    source: "SQS quotas, us-east-1, batched",
    lift: "a quota request",
    perPerson: (habits) => peakPerSecond(habits.mailsADay + habits.timedSyncsADay, habits),
  },
  {
    name: "EventBridge crons: one invocation reads all that is due in a minute",
    most: 20_000 / 60,
    unit: "scouts/s",
    source: "cron/poll within its minute at 100 rows a read",
    lift: "an invocation a shard",
    // Spread by themselves: the next sync is a quarter of an hour after the last.
    perPerson: (habits) => habits.timedSyncsADay / secondsADay,
  },
  {
    name: "gpt-4o-mini, tokens of an organisation (tier 5)",
    most: 150_000_000 / 60,
    unit: "tokens/s",
    source: "OpenAI rate limits",
    lift: "a quota request; a model of one's own behind OPENAI_BASE_URL",
    perPerson: (habits) =>
      peakPerSecond(habits.mailsADay * (habits.triageTokens.input + habits.triageTokens.output), habits),
  },
];

/** How many people fit within a limit. */
export function peopleWithin(limit: Limit, habits: Habits): number {
  return Math.floor(limit.most / limit.perPerson(habits));
}
