import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { kept } from "../fleet/kept.ts";
import { fleetTables } from "../fleet/paper.ts";
import { settingOf } from "../fleet/scenario.ts";
import { floorDesign } from "./designs.ts";
import { documentFile, measured, regenerated } from "./document.ts";
import { type Habits, habits } from "./habits.ts";
import { tablesOf } from "./paper.ts";

const document = readFileSync(documentFile, "utf8");

const { figures } = await settingOf();

test("docs/scale.md says what prices, habits and the kept figures come to (npm run docs:scale brings it up to date)", () => {
  expect(regenerated(document, { ...tablesOf(measured(), habits), ...fleetTables(figures) })).toBe(document);
});

test("docs/scale.md has every table once, and each changes with the figures or the habits it is made of", () => {
  const marks = [...document.matchAll(/<!-- generated: (\w+) -->/g)].map(([, name]) => name);
  const tables: Record<string, string> = { ...tablesOf(measured(), habits), ...fleetTables(figures) };
  expect(marks.toSorted()).toEqual(Object.keys(tables).sort());
  const busierHabits: Habits = { ...habits, mailsADay: habits.mailsADay + 1 };
  const strangers = { alone: {}, together: {} };
  const counted = { ...measured(), burst: { "sqs:SendMessage": 9 }, alone: {}, strangers };
  const days = kept().carried.map((report) => ({ ...report, lost: 1 }));
  const steps = kept().steps.map((report) => ({ ...report, lost: report.lost + 1 }));
  const neglected = kept().neglected.map((each) => ({ ...each, days: each.days + 1 }));
  const moves = kept().moves.map(({ report }) => ({ what: "another", report }));
  const firstMet = kept().firstMet.map((met) => ({
    ...met,
    people: met.people * 2,
    peopleRaised: met.peopleRaised * 2,
  }));
  const another = {
    ...kept(),
    firstMet,
    carried: days,
    fleet: days,
    neglected,
    moves,
    steps,
    copied: { ...kept().copied, hours: 1 },
  };
  const figure = { ...figures.spread, value: 1 };
  const busier = { ...tablesOf(counted, busierHabits), ...fleetTables({ ...figures, spread: figure }, another) };
  for (const [name, other] of Object.entries(busier)) expect(other, name).not.toBe(tables[name]);
});

test("a burst costs at most a quarter more requests than there is no way around, by the kept figures", () => {
  const { burst, relevantShare } = measured();
  const sum = (requests: Readonly<Record<string, number>>) => Object.values(requests).reduce((all, n) => all + n, 0);
  const { "lambda:invocation": _, ...floor } = floorDesign(relevantShare);
  expect(sum(burst) / sum(floor)).toBeLessThanOrEqual(1.25);
});
