import { describe, expect, test } from "vitest";
import { rounds } from "../rounds.ts";
import { SeededRandom } from "../simulation/random.ts";
import { balanceOf, together } from "./books.ts";
import { Cell, type CellOptions } from "./cell.ts";
import { type Day, secondsADay } from "./day.ts";
import { Latencies } from "./latencies.ts";
import { type Budgets, type LimitName, limitsOf, unlimited } from "./limits.ts";
import { settingOf } from "./scenario.ts";
import { ServiceTimes } from "./service-times.ts";

const { values, day } = await settingOf();
const limits = limitsOf(values);
const limitNames = Object.keys(limits) as LimitName[];

/** A day in which every second is like the others, as on paper. */
const evenDay: Day = {
  mail: new Float64Array(secondsADay).fill(1),
  devices: new Float64Array(secondsADay).fill(values.connectedHoursADay / 24),
};

function cellOf(people: number, budgets: Partial<Budgets>, more: Partial<CellOptions> = {}): Cell {
  const random = new SeededRandom(7);
  const serviceTimes = new ServiceTimes(values, random);
  return new Cell({
    people,
    values,
    budgets: { ...unlimited(limits), ...budgets },
    day: evenDay,
    random,
    serviceTimes,
    ...more,
  });
}

function run(cell: Cell, from: number, seconds: number): Cell {
  for (let second = from; second < from + seconds; second += 1) cell.step(second);
  return cell;
}

/** A cell without people in which so many items wait. */
function withBacklog(count: number, budgets: Partial<Budgets>): Cell {
  const cell = cellOf(0, budgets);
  cell.adopt(0, [{ origin: 0, count, tries: 0 }]);
  return cell;
}

describe("a small fleet comes to what a hand comes to", () => {
  test("two workers with batches of ten that take 2.5 s judge eight items a second: a thousand in 125 s", () => {
    const cell = withBacklog(1_000, { triageConcurrency: 2 });
    expect(run(cell, 0, 124).books.waiting).toBe(8);
    expect(run(cell, 124, 1).books.waiting).toBe(0);
  });

  test("pollers that begin with five and grow by five a second judge 20, 40, 60 …: a thousand in the tenth second", () => {
    const cell = withBacklog(1_000, { triageConcurrency: 1_000 });
    expect(run(cell, 0, 9).books.waiting).toBe(100);
    expect(run(cell, 9, 1).books.waiting).toBe(0);
  });

  test("a rate of tokens for two mails a second judges the minute it had saved, and half a minute later what it has saved since", () => {
    const cell = withBacklog(1_000, { modelTokens: 2 * values.tokensAMail });
    expect(run(cell, 0, 30).books.waiting).toBe(1_000 - 2 * 60);
    expect(run(cell, 30, 1).books.waiting).toBe(1_000 - 2 * 60 - 2 * 30);
  });

  test("a store that takes no writes shows an item unjudged after its fifth try, 2 + 4 + 8 + 16 s later", () => {
    const cell = withBacklog(10, { tableWrites: 0 });
    expect(run(cell, 0, 30).books).toMatchObject({ failed: 0, waiting: 10 });
    expect(run(cell, 30, 1).books).toMatchObject({ failed: 10, waiting: 0 });
  });

  test("people get their mails a day, and who waits for nothing waits for webhook, sync and triage alone", () => {
    const latencies = new Latencies();
    const onJudged = (origin: number, seconds: number, count: number) => {
      expect(origin).toBeGreaterThanOrEqual(0);
      latencies.add(seconds, count);
    };
    const cell = run(cellOf(86_400, {}, { onJudged }), 0, 600);
    const expected = values.mailsADay * 600;
    expect(Math.abs(cell.books.arrived / expected - 1)).toBeLessThan(0.02);
    const usual = values.webhookSeconds + values.syncSeconds + values.triageSeconds;
    expect(Math.abs(latencies.percentile(50) / usual - 1)).toBeLessThan(0.1);
    expect(cell.usage.peak("modelTokens").value).toBeGreaterThan(values.mailsADay * values.tokensAMail * 0.9);
  });
});

describe("every limit binds when it is lowered", () => {
  const people = 20_000;
  const at = 11 * 3_600 - 60;
  const seconds = 240;
  const free = run(cellOf(people, {}, { day }), at, seconds);

  test.each(limitNames.filter((name) => name !== "gmailDay"))("%s", (name) => {
    const bound = run(cellOf(people, { [name]: free.usage.peak(name).value / 8 }, { day }), at, seconds);
    const held = name === "inFlight" ? bound.throttles.triageConcurrency : bound.throttles[name];
    expect(held).toBeGreaterThan(0);
    expect(free.throttles[name]).toBe(0);
    expect(balanceOf(bound.books)).toEqual({ lost: 0, twice: 0 });
  });
});

test("P2: what arrived is proposed, hidden, shown unjudged or waiting, whatever is short and whoever is moved meanwhile", () => {
  for (let seed = 1; seed <= rounds(40); seed += 1) {
    const random = new SeededRandom(seed);
    const budgets = Object.fromEntries(limitNames.map((name) => [name, 2 ** random.int(0, 14)]));
    const [from, to] = [cellOf(30_000, budgets, { random, day }), cellOf(0, budgets, { random, day })];
    const at = random.int(0, secondsADay);
    for (let round = 0; round < 3; round += 1) {
      from.hold(random.int(1, 5_000));
      for (const cell of [from, to]) run(cell, at + round * 60, 60);
      to.adopt(from.heldPeople, from.release());
    }
    const both = together([from.books, to.books]);
    expect(both.arrived, `seed ${seed}`).toBeGreaterThan(0);
    expect(balanceOf(both), `seed ${seed}`).toEqual({ lost: 0, twice: 0 });
  }
});

test("what a queue has kept for too long is dropped, and the books say that it is lost", () => {
  const cell = cellOf(0, { triageConcurrency: 0 }, { values: { ...values, keptSeconds: 60 } });
  cell.adopt(0, [{ origin: 0, count: 1_000, tries: 0 }]);
  expect(balanceOf(run(cell, 0, 61).books)).toEqual({ lost: 0, twice: 0 });
  expect(balanceOf(run(cell, 61, 1).books)).toEqual({ lost: 1_000, twice: 0 });
});

test("the books can fail to balance: mail that is in no queue is lost, mail that is in two is twice", () => {
  const books = { arrived: 10, proposed: 4, hidden: 3, failed: 1, waiting: 2 };
  expect(balanceOf(books)).toEqual({ lost: 0, twice: 0 });
  expect(balanceOf({ ...books, waiting: 1 })).toEqual({ lost: 1, twice: 0 });
  expect(balanceOf({ ...books, proposed: 6 })).toEqual({ lost: 0, twice: 2 });
});
