import { expect, test } from "vitest";
import { maintenanceDue } from "../../../shared/scouts/lifecycle/daily-maintenance.ts";
import { ada, inbox, nowMs } from "./setting.ts";

const hourMs = 3_600_000;

test.each([
  [-24 * hourMs, true],
  [-23 * hourMs, false],
  [hourMs, false],
  // By a clock that has been set back since: it would wait until the clock comes there.
  [48 * hourMs, true],
])("a scout's daily pass that was %i ms from now is due: %s", (awayMs, due) => {
  const row = { userId: ada, scoutId: inbox, sourceType: "gmail", sealed: "", createdAt: 0, revision: 0 };
  expect(maintenanceDue({ ...row, maintainedAt: nowMs + awayMs }, nowMs)).toBe(due);
});
