import { SeededRandom } from "../simulation/random.ts";
import { type Books, together } from "./books.ts";
import { Cell } from "./cell.ts";
import { type Day, secondsADay } from "./day.ts";
import type { Values } from "./figures.ts";
import { Latencies } from "./latencies.ts";
import { type Budgets, budgetsOf, eachLimit, type Grant, type LimitName, limitsOf, unlimited } from "./limits.ts";
import { type CellMove, MoveOfCell } from "./move-of-cell.ts";
import { ServiceTimes } from "./service-times.ts";
import type { Peak } from "./usage.ts";

export interface FleetOptions {
  readonly people: number;
  readonly cells: number;
  readonly seed: number;
  /** One, unless told. */
  readonly days?: number;
  readonly values: Values;
  readonly day: Day;
  readonly grant: Grant | "unlimited";
  /** Takes the place of single budgets, for tests and questions. */
  readonly budgets?: Partial<Budgets>;
  readonly move?: CellMove;
}

export interface CellReport {
  readonly people: number;
  readonly books: Books;
  readonly latencies: Latencies;
  /** Of mail that arrived while somebody of the cell was being moved. */
  readonly during?: Latencies;
  readonly throttles: Readonly<Record<LimitName, number>>;
  readonly mostWaiting: { readonly count: number; readonly atSecond: number };
  readonly peaks: Readonly<Record<LimitName, Peak>>;
  readonly peakHours: Readonly<Record<LimitName, Peak>>;
  /** Messages an execution had, on average. */
  readonly fill: { readonly sync: number; readonly triage: number };
  readonly move?: ReturnType<MoveOfCell["report"]>;
}

/**
 * A day of the whole fleet. Cells share nothing but what each has its part of, so one is run after the other. People are put
 * where there is room (docs/decisions/0261), so that cells are of one size.
 */
export function runFleet(options: FleetOptions): CellReport[] {
  const { people, cells, seed } = options;
  return Array.from({ length: cells }, (_, at) => {
    const own = Math.floor(people / cells) + (at < people % cells ? 1 : 0);
    // A cell's numbers are its own, whatever its neighbours draw.
    return runCell(options, own, at, new SeededRandom(seed * 1_009 + at));
  });
}

function runCell(options: FleetOptions, people: number, at: number, random: SeededRandom): CellReport {
  const { values, day, grant, move: planned } = options;
  const limits = limitsOf(values);
  const share = people / options.people;
  const budgets = {
    ...(grant === "unlimited" ? unlimited(limits) : budgetsOf(limits, grant, share)),
    ...options.budgets,
  };
  const latencies = new Latencies();
  const during = new Latencies();
  const serviceTimes = new ServiceTimes(values, random);
  let move: MoveOfCell | undefined;
  const onJudged = (origin: number, seconds: number, count: number) => {
    latencies.add(seconds, count);
    if (move?.isUnderWay(origin)) during.add(seconds, count);
  };
  const cellOptions = { people, values, budgets, day, random, serviceTimes, onJudged };
  const cell = new Cell(cellOptions);
  if (planned?.cell === at) move = new MoveOfCell(planned, cell, new Cell({ ...cellOptions, people: 0 }), values);
  for (let second = 0; second < (options.days ?? 1) * secondsADay; second += 1) {
    cell.step(second);
    move?.step(second);
  }
  const parts = move ? [cell, move.to] : [cell];
  const sum = (of: (each: Cell) => number) => parts.reduce((all, each) => all + of(each), 0);
  return {
    people,
    books: together(parts.map(({ books }) => books)),
    latencies,
    throttles: eachLimit(limits, (name) => sum((part) => part.throttles[name])),
    mostWaiting: cell.mostWaiting,
    peaks: eachLimit(limits, (name) => cell.usage.peak(name)),
    peakHours: eachLimit(limits, (name) => cell.usage.peakHour(name)),
    fill: {
      sync:
        sum(({ sync }) => sync.messages) /
        Math.max(
          1,
          sum(({ sync }) => sync.invocations),
        ),
      triage:
        sum(({ triage }) => triage.messages) /
        Math.max(
          1,
          sum(({ triage }) => triage.invocations),
        ),
    },
    ...(move ? { move: move.report(), during } : {}),
  };
}
