import { byService, type Requests } from "../bench/pipeline/requests.ts";
import { floorDesign, naiveDesign } from "./designs.ts";
import type { Figures } from "./figures.ts";
import type { Habits } from "./habits.ts";
import { limits, peopleWithin } from "./limits.ts";
import { monthlyDollars } from "./month.ts";
import { dollarsFor } from "./prices.ts";

const sizes = [1_000, 100_000, 10_000_000] as const;
/** What a batch of triages holds at most, and at least. */
const batches = { full: 10, alone: 1 } as const;

/** A number a person reads: 1,234,567. */
const grouped = (value: number) => Math.round(value).toLocaleString("en-GB");
const dollars = (value: number) => (value < 100 ? `$${value.toFixed(2)}` : `$${grouped(value)}`);
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

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

function monthTable(figures: Figures, habits: Habits): string {
  const upper = monthlyDollars(figures.alone, figures.emptySync, batches.alone, habits);
  const lower = Object.values(monthlyDollars(figures.burst, figures.emptySync, batches.full, habits));
  const rows = Object.entries(upper).map(([part, one], at) => [
    part,
    `$${(lower[at] ?? 0).toFixed(4)}`,
    `$${one.toFixed(4)}`,
    ...sizes.map((people) => dollars(one * people)),
  ]);
  const head = ["a month", "one person, mail in bursts", "one by one"];
  return table([...head, ...sizes.map((people) => `${grouped(people)} people`)], rows);
}

function limitTable(habits: Habits): string {
  const met = limits
    .map((limit) => ({ limit, people: peopleWithin(limit, habits) }))
    .sort((a, b) => a.people - b.people);
  const rows = met.map(({ limit: { name, most, unit, lift, source }, people }) => [
    name,
    `${grouped(most)} ${unit}`,
    grouped(people),
    lift,
    source,
  ]);
  return table(["limit", "as accounts begin", "people at the peak", "what lifts it", "source"], rows);
}

function habitTable(habits: Habits): string {
  const text = (value: Habits[keyof Habits]) =>
    typeof value === "number" ? String(value) : `${grouped(value.input)} in, ${grouped(value.output)} out`;
  return table(
    ["habit", "figure"],
    Object.entries(habits).map(([name, value]) => [`\`${name}\``, text(value)]),
  );
}

/** What people cost a month, and which limits are met first: arithmetic on measured requests, prices and habits. */
export function tablesOf(figures: Figures, habits: Habits) {
  return {
    designs: designTable(figures),
    imap: imapTable(figures),
    month: monthTable(figures, habits),
    limits: limitTable(habits),
    habits: habitTable(habits),
  };
}
