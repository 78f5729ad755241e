import { EventEmitter } from "node:events";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { closedUndecidedText, tellClosedUndecided } from "../../../cli/proposals/closed-undecided.ts";
import type { DeviceEvents } from "../../../device/connection/events.ts";
import type { StoredProposal } from "../../../device/store/schema.ts";

/** A device that is settled when the test says so. */
function begun() {
  const events = new EventEmitter<DeviceEvents>();
  const said: string[] = [];
  let settling = Promise.withResolvers<void>();
  tellClosedUndecided({ events, settled: () => settling.promise }, (text) => void said.push(text));
  return {
    said,
    close: (closedReason: string) => events.emit("closed", { closedReason } as StoredProposal),
    async isSettled() {
      settling.resolve();
      await settling.promise;
      settling = Promise.withResolvers();
    },
    async isClosed() {
      settling.reject(new Error("closed"));
      await settling.promise.catch(() => undefined);
    },
  };
}

test("what a home that runs closes because nobody decided it is said once, with its number and its cure", async () => {
  const { said, close, isSettled } = begun();
  for (const reason of ["expired", "gone", "expired", "resolved_elsewhere"]) close(reason);
  await isSettled();
  close("gone");
  await isSettled();
  close("expired");
  await isSettled();

  expect(said).toEqual([
    expect.stringMatching(/^2 proposals were closed just now, because nobody .* scouts proposals reopen --expired$/),
    expect.stringMatching(/^1 proposal was closed just now/),
  ]);
});

test("of thousands that come closed one after the other, after a long absence, one sentence is said", async () => {
  const { said, close, isSettled } = begun();
  for (let n = 0; n < 50; n += 1) {
    for (let each = 0; each < 100; each += 1) close("expired");
    await setImmediate();
  }
  expect(said).toEqual([]);
  await isSettled();
  expect(said).toEqual([expect.stringMatching(/^5,?000 proposals were closed just now/)]);
});

test("nothing silent: it is said as well when the device is closed before all has come", async () => {
  const { said, close, isClosed } = begun();
  close("expired");
  await isClosed();
  expect(said).toEqual([expect.stringMatching(/^1 proposal was closed just now/)]);
});

test("the day since when is the one that clocks show where the person is", () => {
  const since = Date.parse("2026-11-26T23:30:00Z");
  const here = { nowMs: since + 3_600_000 * 5, zone: "Europe/Berlin" };
  expect(closedUndecidedText({ proposals: 2, since }, here)).toMatch(
    /^2 proposals were closed since 2026-11-27, because/,
  );
});
