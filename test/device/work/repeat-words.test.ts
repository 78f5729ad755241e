import { describe, expect, test } from "vitest";
import { runCommand } from "../../../cli/program.ts";
import { openDeviceStore } from "../../../device/store/open.ts";
import { systemTimeAndIds } from "../../../device/time-and-ids.ts";
import { addEntity } from "../../../device/work/change-entities.ts";
import { repeatWords } from "../../../device/work/recurrence/repeat-words.ts";
import { Screen } from "../screen.ts";
import { temporaryFolder } from "../setting.ts";

const today = "2026-11-22";
const here = { nowMs: Date.parse(`${today}T12:00:00Z`), zone: "Europe/Berlin" };
const friday = { start: "2026-11-27T17:00:00", zone: "Europe/Berlin", isAllDay: false };
const said = (recurrence: readonly string[], times: Partial<typeof friday> = {}) =>
  repeatWords({ ...friday, ...times, recurrence: [...recurrence] }, here);

describe("how often something takes place is said in words, not as a calendar file writes it", () => {
  test.each([
    ["FREQ=DAILY", "every day"],
    ["FREQ=DAILY;INTERVAL=2;COUNT=10", "every second day, 10 times"],
    ["FREQ=DAILY;COUNT=1", "every day, once"],
    ["FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR", "every day from Monday to Friday"],
    ["FREQ=DAILY;BYMONTH=1", "every day, only in January"],
    ["FREQ=WEEKLY", "every Friday"],
    ["FREQ=WEEKLY;INTERVAL=2;BYDAY=FR;UNTIL=20270303", "every second Friday until 3 March 2027"],
    ["FREQ=WEEKLY;BYDAY=FR,MO", "every Monday and Friday"],
    ["FREQ=WEEKLY;WKST=SU;BYDAY=SU,MO", "every Sunday and Monday"],
    ["FREQ=WEEKLY;INTERVAL=3;BYDAY=MO,WE,FR", "every third week on Monday, Wednesday and Friday"],
    ["FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "every day from Monday to Friday"],
    ["FREQ=WEEKLY;BYDAY=SU,MO,TU,WE,TH,FR,SA", "every day"],
    ["FREQ=MONTHLY", "every month on the 27th"],
    ["FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=1,15,22", "every 12th month on the 1st, 15th and 22nd"],
    ["FREQ=MONTHLY;BYMONTHDAY=-1", "every month on the last day"],
    ["FREQ=MONTHLY;BYMONTHDAY=3,-2", "every month on the 3rd and the last day but one"],
    ["FREQ=MONTHLY;BYDAY=1TH,-1FR", "every month on the first Thursday and the last Friday"],
    ["FREQ=MONTHLY;BYDAY=TU", "every month on each Tuesday"],
    ["FREQ=MONTHLY;BYDAY=TU;BYSETPOS=2", "every month on the second Tuesday"],
    ["FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "every month on the last day from Monday to Friday"],
    ["FREQ=MONTHLY;BYDAY=SA,SU;BYSETPOS=1", "every month on the first Saturday or Sunday"],
    ["FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "every month on the 13th if that is a Friday"],
    ["FREQ=MONTHLY;BYMONTH=6,7", "every month on the 27th, only in June and July"],
    ["FREQ=YEARLY", "every year on 27 November"],
    ["FREQ=YEARLY;INTERVAL=2;BYMONTH=2;BYMONTHDAY=29", "every second year on 29 February"],
    ["FREQ=YEARLY;BYMONTH=3,10;BYDAY=-1SU", "every year on the last Sunday of March and October"],
    ["FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24,25", "every year on the 24th and 25th of December"],
    ["FREQ=YEARLY;BYMONTHDAY=1", "every year on the 1st of each month"],
    ["FREQ=YEARLY;BYDAY=20MO", "every year on the 20th Monday of the year"],
  ])("%s", (rule, words) => {
    expect(said([`RRULE:${rule}`])).toBe(words);
  });

  test("until the day on which it may take place for the last time, where it does", () => {
    // Five in the afternoon in Berlin is an hour before this moment, and half past five is after the other.
    expect(said(["RRULE:FREQ=WEEKLY;UNTIL=20261211T170000Z"])).toBe("every Friday until 11 December 2026");
    expect(said(["RRULE:FREQ=WEEKLY;UNTIL=20261211T153000Z"])).toBe("every Friday until 10 December 2026");
    expect(said(["RRULE:FREQ=DAILY;UNTIL=20261231"], { isAllDay: true, start: "2026-11-27" })).toBe(
      "every day until 31 December 2026",
    );
  });

  test("by whose days, where its reader has others", () => {
    const weekly = ["RRULE:FREQ=WEEKLY"];
    expect(said(weekly, { start: "2026-12-03T19:30:00", zone: "America/New_York" })).toBe(
      "every Thursday (days of America/New_York)",
    );
    expect(said(weekly, { start: "2026-12-03T15:30:00", zone: "America/New_York" })).toBe("every Thursday");
  });

  test("what is added and left out, where it is not over", () => {
    const recurrence = ["RRULE:FREQ=WEEKLY", "EXDATE;TZID=Europe/Berlin:20260102T170000,20261204T170000"];
    expect(said(recurrence)).toBe("every Friday, but not on 4 December 2026");
    const more = ["RDATE:20261201T190000,20261203T170000", "RDATE;VALUE=DATE:20261224,20261225,20261226"];
    expect(said([...recurrence, ...more])).toBe(
      "every Friday, also on 1 December 2026 at 19:00, 3 December 2026, 24 December 2026 and 2 more days, but not on 4 December 2026",
    );
    expect(said(["RDATE:20261201T170000"])).toBe("also on 1 December 2026");
  });

  test("what nobody here can put in words stays as it is written, and no more of it than fits", () => {
    expect(said(["RRULE:FREQ=YEARLY;BYWEEKNO=41"])).toBe("by a rule that is not known here (FREQ=YEARLY;BYWEEKNO=41)");
    expect(said(["RRULE:FREQ=MONTHLY;BYSETPOS=2"])).toBe("by the rule FREQ=MONTHLY;BYSETPOS=2");
    expect(said(["RRULE:FREQ=MONTHLY;BYMONTHDAY=0"])).toBe("by the rule FREQ=MONTHLY;BYMONTHDAY=0");
    expect(said([`RRULE:FREQ=YEARLY;BYWEEKNO=41${",41".repeat(1_000)}`]).length).toBeLessThan(200);
    expect(said(Array.from({ length: 1_000 }, () => "RRULE:FREQ=DAILY"))).toBe(
      "every day; every day; every day; and 997 more rules",
    );
    expect(said([])).toBe("");
  });
});

test("event show says in words when an event repeats; a program gets its rules", async () => {
  const data = temporaryFolder();
  const nowMs = Date.parse(`${today}T12:00:00Z`);
  const store = openDeviceStore({ ...systemTimeAndIds, dataFolder: data, now: () => nowMs });
  const rule = "RRULE:FREQ=WEEKLY;INTERVAL=2;UNTIL=20270303";
  addEntity(store, "event", { title: "Choir", ...friday, end: "2026-11-27T18:00:00", recurrence: [rule] }, 1);
  store.close();
  const run = async (...words: string[]) => {
    const stdout = new Screen();
    const io = { stdout, stderr: new Screen(), isTTY: false, color: false, signal: new AbortController().signal };
    const base = { io, environment: {}, workingFolder: data, ...systemTimeAndIds, now: () => nowMs };
    await runCommand([...words, "--data", data], { ...base, zone: () => "Europe/Berlin" }, "1");
    return stdout.written;
  };
  expect(await run("event", "show", "Choir")).toMatch(/^repeats +every second Friday until 3 March 2027$/m);
  expect(JSON.parse(await run("event", "show", "Choir", "--json"))).toMatchObject({ recurrence: [rule] });
});
