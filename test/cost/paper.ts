import type { Requests } from "../bench/pipeline/requests.ts";
import type { Habits } from "./habits.ts";
import { limits, peopleWithin } from "./limits.ts";
import { monthlyDollars } from "./month.ts";

const sizes = [1_000, 100_000, 10_000_000] as const;

/** A number a person reads: 1,234,567. */
const grouped = (value: number) => Math.round(value).toLocaleString("en-GB");
const dollars = (value: number) => (value < 100 ? `$${value.toFixed(2)}` : `$${grouped(value)}`);
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

/** What people cost a month, and which limits are met first: arithmetic on the measured requests and the habits. */
export function paperTables(perMail: Requests, habits: Habits) {
  const month = monthlyDollars(perMail, habits);
  const parts = Object.entries(month);
  const cost = table(
    ["a month", "one person", ...sizes.map((people) => `${grouped(people)} people`)],
    parts.map(([part, one]) => [part, `$${one.toFixed(4)}`, ...sizes.map((people) => dollars(one * people))]),
  );
  const met = limits
    .map((limit) => ({ limit, people: peopleWithin(limit, habits) }))
    .sort((a, b) => a.people - b.people);
  const reached = table(
    ["limit", "as accounts begin", "people at the peak", "what lifts it"],
    met.map(({ limit: { name, most, unit, lift }, people }) => [
      name,
      `${grouped(most)} ${unit}`,
      grouped(people),
      lift,
    ]),
  );
  return {
    month,
    limits: met.map(({ limit, people }) => ({ name: limit.name, people })),
    markdown: `${cost}\n\n${reached}`,
  };
}
