import ical, { type VEvent } from "node-ical";
import { expect, test } from "vitest";
import { addEntity } from "../../../device/work/change-entities.ts";
import { dayAfter, momentOf } from "../../../device/work/dates/zone.ts";
import type { CalendarEvent, Draft } from "../../../device/work/entities.ts";
import { occurrencesBetween } from "../../../device/work/events/occurrences.ts";
import { writeCalendar } from "../../../device/work/interchange/write-calendar.ts";
import { temporaryStore } from "../setting.ts";

/** Another program's reading of a calendar file: node-ical shares no line with the library that writes it. */
async function readElsewhere(events: readonly CalendarEvent[]): Promise<Map<string, VEvent>> {
  const parsed = ical.sync.parseICS(await writeCalendar(events));
  const found = Object.values(parsed).filter((each): each is VEvent => each?.type === "VEVENT");
  return new Map(found.map((each) => [each.uid, each]));
}

const made = (...drafts: Draft<"event">[]): CalendarEvent[] => {
  const store = temporaryStore();
  return drafts.map((draft) => addEntity(store, "event", { title: "Choir", ...draft }, 1));
};

test("another program reads an exported calendar as it is meant: moments, days, words", async () => {
  const hard = 'Café; "Ω", 1\\2 and שלום: '.repeat(20).trim();
  const events = made(
    { title: hard, start: "2026-11-27T17:00:00", end: "2026-11-27T18:30:00", zone: "Europe/Berlin", place: hard },
    { start: "2026-11-27T17:00:00", end: "2026-11-27T18:30:00", zone: "America/New_York", note: "one\ntwo" },
    // The hour that clocks skip, and the one they show twice.
    { start: "2027-03-28T02:30:00", end: "2027-03-28T04:00:00", zone: "Europe/Berlin" },
    { start: "2026-10-25T01:30:00", end: "2026-10-25T03:30:00", zone: "Europe/Berlin" },
    { start: "2026-11-27T17:00:00", end: "2026-11-27T17:00:00", zone: "UTC" },
    // Years apart, of which those between say nothing; the second begins while clocks are set forward.
    { start: "2019-07-01T08:00:00", end: "2031-01-10T08:00:00", zone: "Australia/Sydney" },
    { start: "2024-01-10T08:00:00", end: "2024-07-01T08:00:00", zone: "Australia/Sydney" },
    { start: "2026-11-27T23:15:00", end: "2026-11-28T01:00:00", zone: "Asia/Kathmandu", status: "cancelled" },
  );
  const read = await readElsewhere(events);
  expect(read.size).toBe(events.length);
  for (const { uid, title, start, end, zone, place, note, status } of events) {
    const seen = read.get(uid);
    expect(seen?.summary).toBe(title);
    expect(seen?.start.getTime(), `${start} ${zone}`).toBe(momentOf(start, zone ?? "UTC"));
    expect(seen?.end.getTime(), `${end} ${zone}`).toBe(momentOf(end, zone ?? "UTC"));
    expect([seen?.location ?? "", seen?.description ?? "", seen?.status]).toEqual([place, note, status.toUpperCase()]);
  }
});

test("another program reads days as days, with the day after as their end", async () => {
  const [fair] = made({ title: "Fair", start: "2026-11-27", end: "2026-11-30", isAllDay: true });
  const seen = (await readElsewhere(fair === undefined ? [] : [fair])).get(fair?.uid ?? "");
  const dayOf = (at: Date | undefined) => [at?.getFullYear(), (at?.getMonth() ?? 0) + 1, at?.getDate()];
  expect(seen?.datetype).toBe("date");
  expect([dayOf(seen?.start), dayOf(seen?.end)]).toEqual([
    [2026, 11, 27],
    [2026, 11, 30],
  ]);
});

test.each([
  "FREQ=DAILY;INTERVAL=3;COUNT=40",
  "FREQ=DAILY;BYMONTH=2,5;BYDAY=MO,SU",
  "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH,SU;WKST=SU",
  "FREQ=WEEKLY;INTERVAL=3;BYDAY=MO,SU;WKST=MO;COUNT=25",
  "FREQ=WEEKLY;UNTIL=20270301T120000Z",
  "FREQ=MONTHLY;BYDAY=2TU",
  "FREQ=MONTHLY;BYDAY=-1FR;INTERVAL=2",
  "FREQ=MONTHLY;BYMONTHDAY=1,15,-1",
  "FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR",
  "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2",
  "FREQ=MONTHLY;COUNT=9",
  "FREQ=YEARLY;BYMONTH=3,10;BYDAY=-1SU",
  "FREQ=YEARLY;BYDAY=20MO",
  "FREQ=YEARLY;BYMONTH=11;BYMONTHDAY=2,3,4,5,6,7,8;BYDAY=TU",
  "FREQ=YEARLY;BYMONTHDAY=29",
  "FREQ=YEARLY",
])("another program works a series out on the same days: %s", async (rule) => {
  const first = "2026-10-01";
  // What it begins with need not be of its rule: programs differ there, so that day is not compared.
  const events = made({
    start: `${first}T17:00:00`,
    end: `${first}T18:00:00`,
    zone: "UTC",
    recurrence: [`RRULE:${rule}`],
  });
  const days = { first: dayAfter(first, 1), last: dayAfter(first, 3 * 365) };
  const ours = occurrencesBetween(events, days, "UTC").map((each) => each.first);
  const [seen] = (await readElsewhere(events)).values();
  const theirs = seen?.rrule?.between(new Date(`${days.first}T00:00:00Z`), new Date(`${days.last}T23:59:59Z`)) ?? [];
  expect(ours).toEqual(theirs.map((at) => at.toISOString().slice(0, 10)));
  expect(ours.length).toBeGreaterThan(1);
});
