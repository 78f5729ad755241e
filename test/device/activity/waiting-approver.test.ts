import { getEventListeners } from "node:events";
import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { openActivityStore } from "../../../device/activity/activity-store.ts";
import { waitingApprover } from "../../../device/activity/waiting-approver.ts";
import { systemTimeAndIds } from "../../../device/time-and-ids.ts";
import { ManualClock } from "../manual-clock.ts";
import { temporaryFolder } from "../setting.ts";

test("a question that waits for minutes holds no more than one that has just been asked", async () => {
  const clock = new ManualClock();
  const activity = openActivityStore(temporaryFolder(), { ...systemTimeAndIds, now: () => clock.now() });
  onTestFinished(() => activity.close());
  const cancelled = new AbortController();
  const heard: AbortSignal[] = [];
  const client = {
    canAsk: () => true,
    approve: (_: unknown, signal?: AbortSignal) => {
      if (signal !== undefined) heard.push(signal);
      return Promise.withResolvers<boolean>().promise;
    },
  };
  const { approvals } = activity;
  const approver = waitingApprover({ approvals, root: "/nowhere", client, isServed: () => true, clock });
  const asked = approver.approve(
    { kind: "write", why: "rule", action: "write", tool: "write_file", caller: "mcp", paths: ["a.md"], reason: "r" },
    cancelled.signal,
  );
  for (let look = 0; look < 40; look++) {
    clock.advance(250);
    await setImmediate();
  }
  const [signal] = heard;
  expect(signal && getEventListeners(signal, "abort").length).toBe(1);
  cancelled.abort();
  expect(await asked).toBe(false);
});
