import { byService, type Requests } from "../bench/pipeline/requests.ts";
import { floorDesign, naiveDesign } from "./designs.ts";
import type { Figures } from "./figures.ts";
import type { Habits } from "./habits.ts";
import { dollars, grouped, table } from "./markdown.ts";
import { monthlyDollars } from "./month.ts";
import { dollarsFor } from "./prices.ts";

const sizes = [1_000, 100_000, 10_000_000] as const;
/** What a batch of triages holds at most, and at least. */
const batches = { full: 10, alone: 1 } as const;

const total = (requests: Requests) => Object.values(requests).reduce((sum, count) => sum + count, 0);
/** Invocations are not requests a function makes; the measured run counts none. */
const withoutLambda = (requests: Requests): Requests =>
  Object.fromEntries(Object.entries(requests).filter(([operation]) => !operation.startsWith("lambda:")));

/** Requests and dollars an item, measured beside what there is no way around and what one would write first. */
function designTable({ relevantShare, burst, alone }: Figures): string {
  const floor = withoutLambda(floorDesign(relevantShare));
  const aloneFloor = withoutLambda(floorDesign(1, batches.alone));
  const designs: readonly (readonly [string, Requests, Requests])[] = [
    ["fewest that keep promise 2", floor, floor],
    ["measured, a burst", burst, floor],
    ["naive", withoutLambda(naiveDesign(relevantShare)), floor],
    ["fewest for a relevant mail that comes alone", aloneFloor, aloneFloor],
    ["measured, relevant mails one by one", alone, aloneFloor],
  ];
  const services = ["sqs", "dynamodb", "websocket", "s3", "kms"] as const;
  const rows = designs.map(([name, requests, least]) => {
    const of = byService(requests);
    return [
      name,
      ...services.map((service) => (of[service] ?? 0).toFixed(2)),
      total(requests).toFixed(2),
      `${(total(requests) / total(least)).toFixed(2)}×`,
      `$${(dollarsFor(requests) * 1e6).toFixed(2)}`,
    ];
  });
  return table(["AWS requests an item", ...services, "all", "of the fewest", "a million items"], rows);
}

/** What a mailbox at a mail server costs, beside one at Gmail. */
function imapTable({ burst, alone, imap }: Figures): string {
  const rows: readonly (readonly [string, Requests])[] = [
    ["Gmail, a burst", burst],
    ["IMAP, a burst", imap.burst],
    ["Gmail, one by one", alone],
    ["IMAP, one by one, each with the look that finds it", imap.alone],
    ["IMAP, a look that finds nothing", imap.emptySync],
  ];
  const services = ["sqs", "dynamodb", "websocket"] as const;
  return table(
    ["AWS requests", ...services, "all", "a million of them"],
    rows.map(([name, requests]) => {
      const of = byService(requests);
      const counts = services.map((service) => (of[service] ?? 0).toFixed(2));
      return [name, ...counts, total(requests).toFixed(2), `$${(dollarsFor(requests) * 1e6).toFixed(2)}`];
    }),
  );
}

/** What an item costs whose batch is shared with other people's, who have nothing else in common. */
function strangersTable({ strangers }: Figures): string {
  const services = ["sqs", "dynamodb"] as const;
  const rows = (["alone", "together"] as const).map((how) => {
    const of = byService(strangers[how]);
    const writes = (strangers[how]["dynamodb:UpdateItem"] ?? 0) + (strangers[how]["dynamodb:PutItem"] ?? 0);
    const counts = [...services.map((service) => (of[service] ?? 0).toFixed(2)), writes.toFixed(2)];
    return [
      how === "alone" ? "one after another" : "all at once",
      ...counts,
      `$${(dollarsFor(strangers[how]) * 1e6).toFixed(2)}`,
    ];
  });
  return table(["AWS requests an item of twenty people's", ...services, "of these writes", "a million of them"], rows);
}

function monthTable(figures: Figures, habits: Habits): string {
  const upper = monthlyDollars(
    figures.alone,
    figures.emptySync,
    { mailsAPush: batches.alone, mailsABatch: batches.alone },
    habits,
  );
  const lower = Object.values(
    monthlyDollars(figures.burst, figures.emptySync, { mailsAPush: batches.full, mailsABatch: batches.full }, habits),
  );
  const rows = Object.entries(upper).map(([part, one], at) => [
    part,
    `$${(lower[at] ?? 0).toFixed(4)}`,
    `$${one.toFixed(4)}`,
    ...sizes.map((people) => dollars(one * people)),
  ]);
  const head = ["a month", "one person, mail in bursts", "one by one"];
  return table([...head, ...sizes.map((people) => `${grouped(people)} people`)], rows);
}

function habitTable(habits: Habits): string {
  const text = (value: Habits[keyof Habits]) =>
    typeof value === "number" ? String(value) : `${grouped(value.input)} in, ${grouped(value.output)} out`;
  return table(
    ["habit", "figure"],
    Object.entries(habits).map(([name, value]) => [`\`${name}\``, text(value)]),
  );
}

/** What people cost a month: arithmetic on measured requests, prices and habits. */
export function tablesOf(figures: Figures, habits: Habits) {
  return {
    designs: designTable(figures),
    imap: imapTable(figures),
    strangers: strangersTable(figures),
    month: monthTable(figures, habits),
    habits: habitTable(habits),
  };
}
