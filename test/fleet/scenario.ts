import { evaluate } from "../../infra/local/graph.ts";
import { measured } from "../cost/document.ts";
import type { Figures as Counted } from "../cost/figures.ts";
import { habits } from "../cost/habits.ts";
import { balanceOf } from "./books.ts";
import { type Day, dayOf } from "./day.ts";
import { dollarsAPerson } from "./dollars.ts";
import { type Figures, figuresOf, type Values, valuesOf } from "./figures.ts";
import { type CellReport, type FleetOptions, runFleet } from "./fleet.ts";
import { Latencies } from "./latencies.ts";
import { budgetsOf, type LimitName, limitsOf } from "./limits.ts";

/**
 * `defaults`: as a deployment and its accounts begin; `raised`: with what was asked for and set; `ready`: that, and with
 * pollers of the queues that are kept ready (Lambda's provisioned mode, which infra/ does not ask for today).
 */
export const modes = ["defaults", "raised", "ready"] as const;
export type Mode = (typeof modes)[number];

export interface Setting {
  readonly counted: Counted;
  readonly figures: Figures;
  readonly values: Values;
  readonly day: Day;
}

/** Reads what the product is made of, and what was counted of it. */
export async function settingOf(): Promise<Setting> {
  const counted = measured();
  const figures = figuresOf(await evaluate(), counted, habits);
  const values = valuesOf(figures);
  return { counted, figures, values, day: dayOf(values.newsletterShare, values.connectedHoursADay / 24) };
}

export interface Percentiles {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

export interface DayReport extends Percentiles {
  readonly people: number;
  readonly cells: number;
  readonly mode: Mode;
  /** People of the smallest and of the largest cell. */
  readonly least: number;
  readonly most: number;
  readonly arrived: number;
  /** Of what arrived, what was judged by the end. */
  readonly judgedShare: number;
  /** The most that waited at once in one cell, and when. */
  readonly mostWaiting: { readonly count: number; readonly atSecond: number };
  /** Requests that were refused, to be made again: by rates and quotas, not by workers that were all at work. */
  readonly refused: number;
  /** Limits that some cell came to. */
  readonly met: readonly LimitName[];
  readonly failed: number;
  readonly lost: number;
  readonly twice: number;
  readonly dollars: { readonly aws: number; readonly tokens: number };
  readonly move?: Percentiles & NonNullable<CellReport["move"]>;
}

export type Asked = Pick<FleetOptions, "people" | "cells" | "seed" | "move" | "days"> & { readonly mode: Mode };

/** A day of a fleet, from midnight to midnight in UTC, or some days. */
export function runDay({ counted, values, day }: Setting, { mode, ...asked }: Asked): DayReport {
  const grant = mode === "defaults" ? "asBegun" : "raised";
  const own = mode === "ready" ? { ...values, pollersASecond: values.readyPollersASecond } : values;
  const reports = runFleet({ ...asked, values: own, day, grant });
  const all = new Latencies();
  for (const { latencies } of reports) all.merge(latencies);
  const sum = (of: (report: CellReport) => number) => reports.reduce((total, report) => total + of(report), 0);
  const arrived = sum(({ books }) => books.arrived);
  const worst = reports.toSorted((a, b) => b.mostWaiting.count - a.mostWaiting.count)[0];
  const sizes = reports.map(({ people }) => people);
  const moved = reports.find(({ move }) => move !== undefined);
  const fill = {
    sync: sum(({ fill: { sync } }) => sync) / reports.length,
    triage: sum(({ fill: { triage } }) => triage) / reports.length,
  };
  return {
    people: asked.people,
    cells: asked.cells,
    mode,
    least: Math.min(...sizes),
    most: Math.max(...sizes),
    arrived,
    judgedShare: sum(({ books: { proposed, hidden } }) => proposed + hidden) / arrived,
    ...percentilesOf(all),
    mostWaiting: worst?.mostWaiting ?? { count: 0, atSecond: 0 },
    refused: sum(({ throttles }) => ratesOf.reduce((all, name) => all + throttles[name], 0)),
    met: metBy(reports, own, grant, asked.people),
    failed: sum(({ books }) => books.failed),
    lost: sum(({ books }) => balanceOf(books).lost),
    twice: sum(({ books }) => balanceOf(books).twice),
    dollars: dollarsAPerson(counted, fill, habits),
    ...(moved?.move ? { move: { ...percentilesOf(moved.during ?? new Latencies()), ...moved.move } } : {}),
  };
}

const ratesOf = [
  "gateway",
  "connections",
  "executions",
  "syncMessages",
  "dueWrites",
  "tableWrites",
  "gmailUnits",
  "modelTokens",
] as const satisfies readonly LimitName[];

const percentilesOf = (latencies: Latencies): Percentiles => ({
  p50: rounded(latencies.percentile(50)),
  p95: rounded(latencies.percentile(95)),
  p99: rounded(latencies.percentile(99)),
});

const rounded = (value: number) => Number(value.toPrecision(3));

/** Whoever uses all but a hundredth has come to the limit. What a day costs is no limit of what can be done. */
function metBy(
  reports: readonly CellReport[],
  values: Values,
  grant: "asBegun" | "raised",
  people: number,
): LimitName[] {
  const limits = limitsOf(values);
  const names = (Object.keys(limits) as LimitName[]).filter((name) => name !== "gmailDay");
  return names.filter((name) =>
    reports.some((report) => {
      const most = budgetsOf(limits, grant, report.people / people)[name];
      return report.peaks[name].value >= 0.99 * most;
    }),
  );
}
