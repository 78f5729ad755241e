import { expect, test } from "vitest";
import { showRest } from "../../../cli/up/shown/shown-rest.ts";
import { Screen } from "../../device/screen.ts";

test("nothing silent: who waits for a work sees how far it is, and its end", async () => {
  const stderr = new Screen();
  const left = () => (stderr.written === "" ? 4 : 0);
  const over = showRest("Sorting proposals", left, { isTTY: false, color: false, stderr }, 0);
  await expect.poll(() => stderr.written).not.toBe("");
  over();
  expect(stderr.written).toMatch(/^Sorting proposals 0% {2}0\/4\nSorting proposals 100% {2}4\/4/);
});

test("what is over in a moment is not shown", () => {
  const stderr = new Screen();
  showRest("Sorting proposals", () => 3, { isTTY: false, color: false, stderr })();
  expect(stderr.written).toBe("");
});
