import { expect, test } from "vitest";
import { paced } from "../../../cli/output/paced.ts";

test("a look that takes long is repeated when it costs a fortieth of the time, one that takes nothing at once", () => {
  let nowMs = 0;
  let looks = 0;
  let costMs = 10;
  const look = paced(
    () => {
      nowMs += costMs;
      looks += 1;
      return looks;
    },
    () => nowMs,
  );
  const seen = Array.from({ length: 5 }, () => {
    const value = look();
    nowMs += 100;
    return value;
  });
  expect(seen, "looked at from 0 to 10 and from 410 on").toEqual([1, 1, 1, 1, 2]);
  costMs = 0;
  nowMs += 1_000;
  expect([look(), look(), look()]).toEqual([3, 4, 5]);
});
