import { expect, test } from "vitest";
import { SeededRandom } from "../simulation/random.ts";
import { balanceOf } from "./books.ts";
import { Cell } from "./cell.ts";
import { secondsADay } from "./day.ts";
import { amongStrangers } from "./dollars.ts";
import { kept } from "./kept.ts";
import { Latencies } from "./latencies.ts";
import { limitsOf, unlimited } from "./limits.ts";
import { MoveOfCell } from "./move-of-cell.ts";
import { binomial, poisson } from "./poisson.ts";
import { runDay, settingOf } from "./scenario.ts";
import { ServiceTimes } from "./service-times.ts";
import { Waiting } from "./waiting.ts";

const setting = await settingOf();
const { values } = setting;

test("a seed is a whole run, and the kept figures are those of the model as it is", () => {
  const [first] = kept().carried;
  expect(first).toBeDefined();
  if (!first) return;
  const { people, cells, mode } = first;
  expect(JSON.parse(JSON.stringify(runDay(setting, { people, cells, mode, seed: kept().seed })))).toEqual(first);
});

function movedCell(killedInWave?: number) {
  const random = new SeededRandom(3);
  const serviceTimes = new ServiceTimes(values, random);
  const budgets = unlimited(limitsOf(values));
  const options = { people: 3_000, values, budgets, day: setting.day, random, serviceTimes };
  const [from, to] = [new Cell(options), new Cell({ ...options, people: 0 })];
  const killed = killedInWave === undefined ? {} : { killedInWave };
  const move = new MoveOfCell({ cell: 0, atSecond: 60, waves: 3, ...killed }, from, to, values);
  for (let second = 0; second < 1_500; second += 1) {
    from.step(second);
    move.step(second);
  }
  return { from, to, report: move.report() };
}

test("P2: a cell that is given up hands over everybody and all of their mail, each wave held for minutes", () => {
  const { from, to, report } = movedCell();
  expect(report).toMatchObject({ waves: 3, moved: 3_000, left: 0 });
  const books = [from.books, to.books];
  expect(books.map(balanceOf)).toEqual([
    { lost: 0, twice: 0 },
    { lost: 0, twice: 0 },
  ]);
  expect(from.books.waiting).toBe(0);
  // A worker's time, then the next whole minute of the metric, then the rows of a day.
  const rows = Math.ceil((1_000 * values.mailsADay) / values.copiedASecond);
  expect(report.longestHoldSeconds).toBe(values.workerSeconds + rows);
});

test("P2: a wave whose mover dies is held for the lease longer, and is moved all the same", () => {
  const [undisturbed, killed] = [movedCell(), movedCell(1)];
  expect(killed.report).toMatchObject({ moved: 3_000, left: 0 });
  const longer = killed.report.longestHoldSeconds - undisturbed.report.longestHoldSeconds;
  expect(longer).toBe(values.leaseSeconds);
});

test("what strangers share of a batch is what was counted: receives, deletes and two of three reads", () => {
  const { alone, together } = setting.counted.strangers;
  const receives = together["sqs:ReceiveMessage"] ?? 0;
  const triage = 2 / ((together["dynamodb:BatchGetItem"] ?? 0) - 1);
  const fill = { sync: 1 / (receives - 1 / triage), triage };
  const modelled = amongStrangers(alone, fill);
  for (const [operation, count] of Object.entries(together)) {
    expect(Math.abs((modelled[operation] ?? 0) - count), operation).toBeLessThanOrEqual(0.1);
  }
});

test("a day's curve is one on average, and busiest where newsletters meet working hours", () => {
  const { mail, devices } = setting.day;
  const mean = (weights: Float64Array) => weights.reduce((sum, weight) => sum + weight, 0) / secondsADay;
  expect(mean(mail)).toBeCloseTo(1, 6);
  expect(mean(devices)).toBeCloseTo(values.connectedHoursADay / 24, 6);
  expect(mail.indexOf(Math.max(...mail)) % 3_600).toBe(0);
});

test("chance has the mean and the spread it should, for few and for many", () => {
  const random = new SeededRandom(11);
  for (const mean of [0.3, 12, 4_000]) {
    const draws = Array.from({ length: 2_000 }, () => poisson(random, mean));
    const average = draws.reduce((sum, count) => sum + count, 0) / draws.length;
    const variance = draws.reduce((sum, count) => sum + (count - average) ** 2, 0) / draws.length;
    expect(Math.abs(average / mean - 1)).toBeLessThan(0.1);
    expect(Math.abs(variance / mean - 1)).toBeLessThan(0.2);
  }
  for (const count of [0, 5, 300, 90_000]) {
    const hits = binomial(random, count, 0.35);
    expect(hits).toBeGreaterThanOrEqual(0);
    expect(Math.abs(hits - count * 0.35)).toBeLessThanOrEqual(5 * Math.sqrt(count * 0.35 * 0.65) + 1);
  }
});

test("who came first goes first, and none is lost between", () => {
  const queue = new Waiting();
  for (let origin = 0; origin < 3_000; origin += 1) queue.push({ origin, count: 2, tries: 0 });
  expect(queue.take(3)).toEqual([
    { origin: 0, count: 2, tries: 0 },
    { origin: 1, count: 1, tries: 0 },
  ]);
  let taken = 3;
  for (let part = queue.take(7); part.length > 0; part = queue.take(7)) {
    taken += part.reduce((sum, { count }) => sum + count, 0);
  }
  expect(taken).toBe(6_000);
  expect(queue.size).toBe(0);
});

test("percentiles of a histogram are within a bucket of the true ones", () => {
  const latencies = new Latencies();
  for (let seconds = 1; seconds <= 1_000; seconds += 1) latencies.add(seconds);
  for (const p of [50, 95, 99]) expect(Math.abs(latencies.percentile(p) / (p * 10) - 1)).toBeLessThan(0.045);
});
