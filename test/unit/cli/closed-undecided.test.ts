import { EventEmitter } from "node:events";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { tellClosedUndecided } from "../../../cli/proposals/closed-undecided.ts";
import type { DeviceEvents } from "../../../device/connection/events.ts";
import type { StoredProposal } from "../../../device/store/schema.ts";

test("what a home that runs closes because nobody decided it is said once, with its number and its cure", async () => {
  const events = new EventEmitter<DeviceEvents>();
  const said: string[] = [];
  tellClosedUndecided(
    events,
    () => 0,
    (text) => void said.push(text),
  );
  const close = (closedReason: string) => events.emit("closed", { closedReason } as StoredProposal);

  for (const reason of ["expired", "gone", "expired", "resolved_elsewhere"]) close(reason);
  await setImmediate();
  close("gone");
  await setImmediate();
  close("expired");
  await setImmediate();

  expect(said).toEqual([
    expect.stringMatching(/^2 proposals were closed just now, because nobody .* scouts proposals reopen --expired$/),
    expect.stringMatching(/^1 proposal was closed just now/),
  ]);
});
