import { describe, expect, test } from "vitest";
import type { Delivery } from "../../infra/local/engines/local-queue.ts";
import { Headroom, personOf } from "../../infra/local/pollers/headroom.ts";
import { syncHint } from "../../shared/scouts/sync/sync-hint.ts";
import { ada, bob, inbox } from "../unit/scouts/setting.ts";

let made = 0;
const deliveries = (group: string, count: number): Delivery[] =>
  Array.from({ length: count }, () => {
    const messageId = `m${made++}`;
    const message = {
      messageId,
      messageGroupId: group,
      body: "",
      md5OfBody: "",
      messageAttributes: {},
      md5OfMessageAttributes: "",
      sentTimestamp: 0,
      approximateReceiveCount: 1,
    };
    return { receiptHandle: messageId, message };
  });

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
