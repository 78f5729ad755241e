import { expect, test } from "vitest";
import { GivingWay } from "../../infra/local/pollers/giving-way.ts";
import { ada, bob } from "../unit/scouts/setting.ts";
import { deliveries } from "./deliveries.ts";

function setting() {
  const clock = { nowMs: 1_000_000 };
  const givingWay = new GivingWay(() => clock.nowMs);
  const asked = (person: string, count: number) => {
    const all = deliveries(person, count);
    givingWay.begin(all);
    return all;
  };
  return { clock, givingWay, asked };
}

test("a busy person gives way to a quiet one for as long as that one's batch is under way", () => {
  const { givingWay, asked } = setting();
  asked(ada, 41);
  expect(givingWay.isDue(ada)).toBe(false);
  const quiet = asked(bob, 10);
  expect([givingWay.isDue(ada), givingWay.isDue(bob)]).toEqual([true, false]);
  givingWay.end(quiet);
  expect(givingWay.isDue(ada)).toBe(false);
});

test("people who ask about as much do not wait for each other", () => {
  const { givingWay, asked } = setting();
  asked(ada, 40);
  asked(bob, 10);
  expect([givingWay.isDue(ada), givingWay.isDue(bob)]).toEqual([false, false]);
});

test("what was asked long ago makes nobody busy", () => {
  const { clock, givingWay, asked } = setting();
  givingWay.end(asked(ada, 100));
  clock.nowMs += 60_000;
  asked(bob, 7);
  expect(givingWay.isDue(ada)).toBe(false);
});

test("whoever is forgotten among many people counts as quiet", () => {
  const { clock, givingWay, asked } = setting();
  givingWay.end(asked(ada, 2));
  clock.nowMs += 600_000;
  for (let number = 0; number < 1000; number += 1) givingWay.end(asked(`usr_${number}`, 1));
  asked(bob, 1);
  expect(givingWay.isDue(ada)).toBe(false);
  expect(givingWay.isDue("usr_5")).toBe(false);
});
