import { describe, expect, test } from "vitest";
import { Headroom } from "../../infra/local/pollers/headroom.ts";
import { personOf } from "../../infra/local/pollers/person.ts";
import { syncHint } from "../../shared/scouts/sync/sync-hint.ts";
import { ada, bob, inbox } from "../unit/scouts/setting.ts";
import { deliveries } from "./deliveries.ts";

function setting() {
  const clock = { nowMs: 1_000_000 };
  return { clock, headroom: new Headroom(() => clock.nowMs) };
}

test("a person is known by the first part of a group, on Sync as on the fair queues", () => {
  expect(personOf(syncHint({ userId: ada, scoutId: inbox }, "push", "1").group)).toBe(ada);
  expect(personOf(ada)).toBe(ada);
});

describe("the last free execution", () => {
  test("is for whoever has less under way, while both are at work", () => {
    const { headroom } = setting();
    const busy = deliveries(ada, 10);
    headroom.begin(busy);
    const quiet = deliveries(bob, 1);
    headroom.begin(quiet);
    expect([headroom.mayTakeLast(ada), headroom.mayTakeLast(bob)]).toEqual([false, true]);
    headroom.end(quiet);
    expect(headroom.mayTakeLast(ada)).toBe(false);
    headroom.end(busy);
    expect(headroom.mayTakeLast(ada)).toBe(true);
  });

  test("is for anybody who has nothing under way", () => {
    const { headroom } = setting();
    headroom.begin(deliveries(ada, 10));
    expect(headroom.mayTakeLast(bob)).toBe(true);
  });

  test("is for a person alone", () => {
    const { clock, headroom } = setting();
    headroom.begin(deliveries(ada, 10));
    expect(headroom.mayTakeLast(ada)).toBe(true);
    const once = deliveries(bob, 1);
    headroom.begin(once);
    headroom.end(once);
    clock.nowMs += 60_000;
    expect(headroom.mayTakeLast(ada)).toBe(false);
    clock.nowMs += 1;
    expect(headroom.mayTakeLast(ada)).toBe(true);
  });
});

test("a worker is shared while it is at work for anybody else", () => {
  const { headroom } = setting();
  expect(headroom.isShared(deliveries(ada, 1))).toBe(false);
  const busy = deliveries(ada, 10);
  headroom.begin(busy);
  expect([headroom.isShared(deliveries(ada, 1)), headroom.isShared(deliveries(bob, 1))]).toEqual([false, true]);
  headroom.end(busy);
  expect(headroom.isShared(deliveries(bob, 1))).toBe(false);
});
