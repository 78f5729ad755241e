import { dollars, grouped, table } from "../cost/markdown.ts";
import { clockOf } from "./day.ts";
import { type Figures, valuesOf } from "./figures.ts";
import { type Kept, kept as readKept, type StepsReport } from "./kept.ts";
import { type LimitName, limitsOf } from "./limits.ts";
import type { DayReport, Mode, Percentiles } from "./scenario.ts";

/** What a day's table calls the limits that were met. */
const shortNames: Readonly<Record<LimitName, string>> = {
  gateway: "API Gateway",
  connections: "connections",
  executions: "Lambda",
  polls: "Poll",
  syncMessages: "Sync's messages",
  syncConcurrency: "sync workers",
  dueWrites: "`due`",
  tableWrites: "writes",
  triageConcurrency: "triage workers",
  inFlight: "in flight",
  gmailUnits: "Gmail",
  gmailDay: "Gmail's day",
  modelTokens: "tokens",
};
const modeNames: Readonly<Record<Mode, string>> = {
  defaults: "as begun",
  raised: "raised",
  ready: "raised, pollers ready",
};

/** 3.4 s, 12 min, 5 h: a person's figure. */
export function lasting(seconds: number): string {
  if (seconds < 100) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  return seconds < 6_000 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`;
}

/** Three figures of it, as more would be made up: 12,300. */
const about = (value: number) => grouped(Number(value.toPrecision(3)));
const percentiles = ({ p50, p95, p99 }: Percentiles) => [lasting(p50), lasting(p95), lasting(p99)];
const cents = ({ aws, tokens }: DayReport["dollars"]) => `$${aws.toFixed(3)} + $${tokens.toFixed(3)}`;
const met = (report: DayReport) => report.met.map((name) => shortNames[name]).join(", ") || "none";
const percent = (share: number) => (share === 1 ? "100 %" : `${(Math.floor(share * 10_000) / 100).toFixed(2)} %`);

export function firstMetTable({ firstMet }: Pick<Kept, "firstMet">, figures: Figures): string {
  const limits = limitsOf(valuesOf(figures));
  const rows = firstMet.map(({ limit, people, atSecond, peopleByHour }) => {
    const { name, unit, asBegun, lift, source } = limits[limit];
    const when = limit === "gmailDay" ? "over the day" : clockOf(atSecond);
    return [name, `${grouped(asBegun)} ${unit}`, about(people), when, about(peopleByHour), lift, source];
  });
  return table(
    ["limit", "as accounts begin", "people", "at (UTC)", "people, by the worst hour", "what lifts it", "source"],
    rows,
  );
}

export function raisedTable({ firstMet }: Pick<Kept, "firstMet">, figures: Figures): string {
  const limits = limitsOf(valuesOf(figures));
  const rows = firstMet
    .toSorted((a, b) => a.peopleRaised - b.peopleRaised)
    .map(({ limit, peopleRaised }) => {
      const { name, unit, asBegun, raised, scope } = limits[limit];
      const most = raised === asBegun ? "as it is" : `${grouped(raised)} ${unit}`;
      return [name, most, about(peopleRaised), scope === "everybody" ? "no" : "yes"];
    });
  return table(["limit", "raised to", "people", "a further cell has its own"], rows);
}

const dayHead = [
  "limits",
  "p50",
  "p95",
  "p99",
  "judged by the end",
  "most waiting",
  "at (UTC)",
  "limits met",
  "refused",
  "lost",
  "twice",
];
const dayCells = (report: DayReport) => [
  modeNames[report.mode],
  ...percentiles(report),
  percent(report.judgedShare),
  about(report.mostWaiting.count),
  clockOf(report.mostWaiting.atSecond),
  met(report),
  about(report.refused),
  grouped(report.lost),
  grouped(report.twice),
];

export function carriedTable(reports: readonly DayReport[]): string {
  const rows = reports.map((report) => [grouped(report.people), ...dayCells(report), cents(report.dollars)]);
  return table(["people", ...dayHead, "a month, AWS + tokens"], rows);
}

export function fleetTable(reports: readonly DayReport[]): string {
  const rows = reports.map((report) => {
    const sizes = report.cells === 1 ? "1" : `${report.cells} of ${grouped(report.least)} to ${grouped(report.most)}`;
    return [sizes, ...dayCells(report), cents(report.dollars)];
  });
  return table(["cells", ...dayHead, "a month, AWS + tokens"], rows);
}

/** What becomes of a backlog that grows and grows. */
export function neglectedTable({ neglected }: Pick<Kept, "neglected">): string {
  const rows = neglected.map(({ days, report }) => {
    const { people, arrived, judgedShare, mostWaiting, lost } = report;
    return [grouped(people), String(days), about(arrived), percent(judgedShare), about(mostWaiting.count), about(lost)];
  });
  return table(["people, as begun", "days", "arrived", "judged", "most waiting", "lost"], rows);
}

export function movesTable({ moves }: Pick<Kept, "moves">): string {
  const rows = moves.map(({ what, report }) => {
    const { move } = report;
    const took = move?.endedAt === undefined || move.waves === 0 ? "" : lasting(move.endedAt - move.atSecond);
    const held = move && move.waves > 0 ? lasting(move.longestHoldSeconds) : "";
    return [what, ...percentiles(move ?? report), held, took, grouped(report.lost), grouped(report.twice)];
  });
  return table(["a cell of 100,000", "p50", "p95", "p99", "longest hold", "took", "lost", "twice"], rows);
}

const stepNames: Partial<Record<StepsReport["mistake"], string>> = {
  none: "as designed",
  killed: "as designed, who moves dies at any port call",
  sleeps: "as designed, who moves wakes after another has finished",
};

export function stepsTable({ steps }: Pick<Kept, "steps">): string {
  const rows = steps.map(({ mistake, moves, lost, twice }) => {
    return [stepNames[mistake] ?? `done wrong: ${mistake}`, grouped(moves), grouped(lost), grouped(twice)];
  });
  return table(["one person's move", "moves", "items lost", "items twice"], rows);
}

export function copiedTable(
  { copied: { rows, hours, dollars: asked } }: Pick<Kept, "copied">,
  figures: Figures,
): string {
  const pace = `${grouped(figures.copiedASecond.value)} rows/s`;
  return table(
    ["100,000 people's rows", `at ${pace}`, "AWS"],
    [[grouped(rows), `${hours.toFixed(0)} hours`, dollars(asked)]],
  );
}

export function figuresTable(figures: Figures): string {
  const rows = Object.entries(figures).map(([name, { value, unit, origin, source }]) => {
    return [`\`${name}\``, `${Number(value.toPrecision(4)).toLocaleString("en-GB")} ${unit}`, origin, source];
  });
  return table(["figure", "value", "origin", "source"], rows);
}

/** The tables of docs/scale.md that come of the model. */
export function fleetTables(figures: Figures, kept: Kept = readKept()) {
  return {
    firstMet: firstMetTable(kept, figures),
    raised: raisedTable(kept, figures),
    carried: carriedTable(kept.carried),
    neglected: neglectedTable(kept),
    fleet: fleetTable(kept.fleet),
    moves: movesTable(kept),
    steps: stepsTable(kept),
    copied: copiedTable(kept, figures),
    figures: figuresTable(figures),
  };
}
