import type { Requests } from "../bench/pipeline/requests.ts";
import type { Figures } from "../cost/figures.ts";
import type { Habits } from "../cost/habits.ts";
import { monthlyDollars } from "../cost/month.ts";

export interface Fill {
  /** Messages of an execution, on average. */
  readonly sync: number;
  readonly triage: number;
}

/**
 * AWS requests of a mail that comes alone to its person, in batches that strangers share: those of the queues that are made
 * once a batch, and two of its three reads, of items and of scouts (counted by test/cost/measure-strangers.ts). All else is its person's own.
 */
export function amongStrangers(alone: Requests, { sync, triage }: Fill): Requests {
  const onceABatch = (count: number) => (count / 2) * (1 / sync + 1 / triage);
  return Object.fromEntries(
    Object.entries(alone).map(([operation, count]) => {
      if (/^sqs:(Receive|Delete)/.test(operation)) return [operation, onceABatch(count)];
      if (operation === "dynamodb:BatchGetItem") return [operation, (count / 3) * (1 + 2 / triage)];
      return [operation, count];
    }),
  );
}

/** Dollars a month that AWS asks for a person, and those for the model's tokens, with batches as full as they were. */
export function dollarsAPerson(counted: Figures, fill: Fill, habits: Habits): { aws: number; tokens: number } {
  const perMail = amongStrangers(counted.alone, fill);
  const sharing = { mailsAPush: 1, mailsABatch: fill.triage };
  const { aws, tokens } = monthlyDollars(perMail, counted.emptySync, sharing, habits);
  return { aws, tokens };
}
