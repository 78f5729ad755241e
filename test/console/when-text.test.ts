import { afterAll, beforeAll, expect, it } from "vitest";
import { hoursText, whenText } from "../../device/console/page/decide/when-text.ts";
import { setVariables } from "../environment.ts";

let putBack = () => {};
beforeAll(() => {
  putBack = setVariables({ TZ: "Europe/Berlin" });
});
afterAll(() => putBack());

const event = (start: string, end: string, zone: string | null) => ({ start, end, zone, isAllDay: false });
const [nine, ten] = ["2026-12-03T09:00:00", "2026-12-03T10:00:00"];

it.each([
  ["of another zone", event(nine, ten, "America/New_York"), "Do., 3. Dez. 2026, 15:00 (9:00 America/New_York)"],
  ["of no place", event(nine, ten, "UTC"), "Do., 3. Dez. 2026, 10:00"],
  ["of the reader's zone", event(nine, ten, "Europe/Berlin"), "Do., 3. Dez. 2026, 9:00"],
  ["wherever one is", event(nine, ten, null), "Do., 3. Dez. 2026, 9:00"],
  [
    "on the night on which clocks are set there",
    event("2026-11-01T00:30:00", "2026-11-01T03:30:00", "America/New_York"),
    "So., 1. Nov. 2026, 5:30 (0:30 America/New_York)",
  ],
  [
    "at a time that clocks there leave out",
    event("2026-03-08T02:30:00", "2026-03-08T03:30:00", "America/New_York"),
    "So., 8. März 2026, 8:30 (2:30 America/New_York)",
  ],
  [
    "at the first of two times that clocks there show",
    event("2026-04-05T02:30:00", "2026-04-05T03:30:00", "Australia/Sydney"),
    "Sa., 4. Apr. 2026, 17:30 (So., 5. Apr. 2026, 2:30 Australia/Sydney)",
  ],
  [
    "on another day there",
    event("2026-12-03T20:00:00", "2026-12-03T21:00:00", "America/New_York"),
    "Fr., 4. Dez. 2026, 2:00 (Do., 3. Dez. 2026, 20:00 America/New_York)",
  ],
])("an event %s is shown by the reader's own clocks, with its own time beside it", (_, when, text) => {
  expect(whenText(when, "de")).toBe(text);
});

it("hours of a day are those of the reader's clocks", () => {
  expect(hoursText(event(nine, ten, "Asia/Tokyo"), "de")).toBe("01:00–02:00 Uhr (9:00 Asia/Tokyo)");
  expect(hoursText(event(nine, ten, "UTC"), "de")).toBe("10:00–11:00 Uhr");
  expect(hoursText(event(nine, ten, "Europe/Berlin"), "de")).toBe("09:00–10:00 Uhr");
});

it("what is no time, and days, stay as they are", () => {
  const days = { start: "2026-12-03", end: "2026-12-04", zone: "Asia/Tokyo", isAllDay: true };
  expect(whenText(days, "de")).toBe("Do., 3. Dez. 2026");
  expect(whenText(event("soon", "", "Asia/Tokyo"), "de")).toBe("soon");
  expect(hoursText(event("soon", "", "Asia/Tokyo"), "de")).toBe("");
  expect(hoursText(event(nine, "later", "UTC"), "de")).toBe("10:00");
});
