import { describe, expect, test } from "vitest";
import { readInvitation } from "../../../device/categorize/calendar/read-invitation.ts";
import { addEntity } from "../../../device/work/change-entities.ts";
import type { Draft } from "../../../device/work/entities.ts";
import { importEvents } from "../../../device/work/interchange/import-events.ts";
import { readCalendar } from "../../../device/work/interchange/read-calendar.ts";
import { writeCalendar } from "../../../device/work/interchange/write-calendar.ts";
import { temporaryStore } from "../setting.ts";

const calendar = (...components: readonly string[]) =>
  ["BEGIN:VCALENDAR", "VERSION:2.0", "METHOD:REQUEST", ...components, "END:VCALENDAR", ""].join("\r\n");
const vevent = (...lines: readonly string[]) =>
  ["BEGIN:VEVENT", "UID:u1", "DTSTAMP:20261101T100000Z", "SUMMARY:Fair", ...lines, "END:VEVENT"].join("\r\n");

/** What is kept of an event of a file: what was refused is told. */
async function kept(...components: readonly string[]) {
  const store = temporaryStore();
  const { untaken } = importEvents(store, await readCalendar(calendar(...components)), 1);
  expect(untaken).toEqual([]);
  return store.work.event.list()[0];
}

const forms: readonly (readonly [what: string, lines: readonly string[], event: Draft<"event">])[] = [
  [
    "a day that does not say it is one",
    ["DTSTART:20261127", "DTEND:20261129"],
    { start: "2026-11-27", end: "2026-11-29", isAllDay: true },
  ],
  [
    "times without seconds",
    ["DTSTART:20261127T1700Z", "DTEND:20261127T1830Z"],
    { start: "2026-11-27T17:00:00", end: "2026-11-27T18:30:00", zone: "UTC" },
  ],
  [
    "times with how far clocks are ahead of UTC there, which are no floating ones",
    ["DTSTART:20261127T170000+0100", "DTEND:20261127T183000+01:00"],
    { start: "2026-11-27T16:00:00", end: "2026-11-27T17:30:00", zone: "UTC" },
  ],
  [
    "times and days as ISO 8601 writes them out",
    ["DTSTART;TZID=Europe/Berlin:2026-11-27T17:00:00", "DTEND:2026-11-27T17:30:00.000Z"],
    { start: "2026-11-27T17:00:00", end: "2026-11-27T18:30:00", zone: "Europe/Berlin" },
  ],
  [
    "days written out",
    ["DTSTART;VALUE=DATE:2026-11-27", "DTEND;VALUE=DATE:2026-11-29"],
    { start: "2026-11-27", end: "2026-11-29", isAllDay: true },
  ],
  [
    "a text that goes on in lines of its own, not folded",
    ["DTSTART:20261127T170000Z", "DESCRIPTION:Bring cake", "and tea", "LOCATION:Hall", "X-ODD"],
    { note: "Bring cake\nand tea", place: "Hall" },
  ],
  [
    "a day that ends on itself",
    ["DTSTART;VALUE=DATE:20261127", "DTEND;VALUE=DATE:20261127"],
    { start: "2026-11-27", end: "2026-11-28" },
  ],
  [
    "a day that ends at a time",
    ["DTSTART;VALUE=DATE:20261127", "DTEND:20261128T235959"],
    { start: "2026-11-27", end: "2026-11-29", isAllDay: true },
  ],
  [
    "a time that ends with a day",
    ["DTSTART;TZID=Europe/Berlin:20261127T170000", "DTEND;VALUE=DATE:20261128"],
    { start: "2026-11-27T17:00:00", end: "2026-11-28T00:00:00", zone: "Europe/Berlin" },
  ],
  [
    "hours over a night on which clocks are set forward (5545 §3.3.6: exact)",
    ["DTSTART;TZID=Europe/Berlin:20260328T220000", "DURATION:PT12H"],
    { end: "2026-03-29T11:00:00" },
  ],
  [
    "a day over that night (5545 §3.3.6: of the calendar)",
    ["DTSTART;TZID=Europe/Berlin:20260328T220000", "DURATION:P1D"],
    { end: "2026-03-29T22:00:00" },
  ],
  [
    "a day and hours over a night on which they are set back",
    ["DTSTART;TZID=Europe/Berlin:20261023T220000", "DURATION:P1DT6H"],
    { end: "2026-10-25T03:00:00" },
  ],
  [
    "words that are in HTML alone",
    ["DTSTART:20261127T170000Z", "X-ALT-DESC;FMTTYPE=text/html:<html><body>Bring <b>cake</b>\\, and tea</body></html>"],
    { note: "Bring cake, and tea" },
  ],
  [
    "plain words beside HTML",
    ["DTSTART:20261127T170000Z", "DESCRIPTION:Cake", "X-ALT-DESC;FMTTYPE=text/html:<b>Cake</b>"],
    { note: "Cake" },
  ],
  [
    "people without an address of mail",
    [
      "DTSTART:20261127T170000Z",
      "ATTENDEE:invalid:nomail",
      "ATTENDEE;CN=Bea:invalid:nomail",
      "ATTENDEE;EMAIL=cem@example.org:urn:uuid:8f2a",
      "ATTENDEE:MAILTO:dan@example.org",
    ],
    { people: ["Bea", "cem@example.org", "dan@example.org"] },
  ],
  ["a zone of Windows that few use", ["DTSTART;TZID=Taipei Standard Time:20261127T170000"], { zone: "Asia/Taipei" }],
];

test.each(forms)("%s is read as it is meant, from a file and from a mail", async (_, lines, expected) => {
  expect(await kept(vevent(...lines))).toMatchObject(expected);
  const { start, end, zone, isAllDay, note, people } = expected;
  const said = { times: { start, end, zone, isAllDay }, note, people };
  const meant = JSON.parse(JSON.stringify(said)) as object;
  expect(await readInvitation(calendar(vevent(...lines)))).toMatchObject(meant);
});

describe("a zone that a calendar describes under a name of its own", () => {
  const observance = (name: string, from: string, to: string, ...lines: readonly string[]) =>
    [`BEGIN:${name}`, ...lines, `TZOFFSETFROM:${from}`, `TZOFFSETTO:${to}`, `END:${name}`].join("\r\n");
  const zone = (tzid: string, ...observances: readonly string[]) =>
    ["BEGIN:VTIMEZONE", `TZID:${tzid}`, ...observances, "END:VTIMEZONE"].join("\r\n");
  const winter = ["DTSTART:16010101T030000", "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10"];
  const summer = ["DTSTART:16010101T020000", "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3"];
  const european = [
    observance("STANDARD", "+0200", "+0100", ...winter),
    observance("DAYLIGHT", "+0100", "+0200", ...summer),
  ];
  const timed = (tzid: string) => vevent(`DTSTART;TZID="${tzid}":20260727T170000`, "RRULE:FREQ=WEEKLY;COUNT=40");

  test.each([
    ["the one with the same clocks", "Customized Time Zone", european, "Europe/Berlin"],
    ["of these the one it has a city of", "(UTC+01:00) Brussels, Paris", european, "Europe/Paris"],
    [
      "changes that are listed one by one",
      "Own",
      [
        observance("DAYLIGHT", "-0500", "-0400", "DTSTART:20260308T020000"),
        observance("STANDARD", "-0400", "-0500", "DTSTART:20261101T020000", "RDATE:20271107T020000"),
      ],
      "America/New_York",
    ],
    [
      "one that never changes",
      "GMT+0300",
      [observance("STANDARD", "+0300", "+0300", "DTSTART:19700101T000000")],
      "Etc/GMT-3",
    ],
    [
      "one of half an hour",
      "India",
      [observance("STANDARD", "+0530", "+0530", "DTSTART:19700101T000000")],
      "Asia/Calcutta",
    ],
    ["the one it names", "Mine", ["X-LIC-LOCATION:Asia/Tokyo", ...european], "Asia/Tokyo"],
  ])("is known by its clocks: %s", async (_, tzid, observances, expected) => {
    expect(await kept(zone(tzid, ...observances), timed(tzid))).toMatchObject({
      start: "2026-07-27T17:00:00",
      zone: expected,
    });
  });

  test.each([
    ["of nowhere", [observance("STANDARD", "+0217", "+0217", "DTSTART:19700101T000000")]],
    [
      "with a rule that is a bomb",
      [observance("STANDARD", "+0200", "+0100", "DTSTART:16010101T030000", "RRULE:FREQ=SECONDLY")],
    ],
    ["without a rule", []],
    ["of another name", european],
  ])("is told where it is none: %s", async (what, observances) => {
    const described = zone(what === "of another name" ? "Other" : "Own", ...observances);
    const { events, untaken } = await readCalendar(calendar(described, timed("Own")));
    expect([events, untaken]).toEqual([[], [{ title: "Fair", why: "its time zone Own is not known" }]]);
  });
});

test("what of a file is no event, or is cut off, is told by its name", async () => {
  const task = "BEGIN:VTODO\r\nUID:t1\r\nSUMMARY:Buy paint\r\nEND:VTODO";
  const journal = "BEGIN:VJOURNAL\r\nUID:j1\r\nSUMMARY:A day\r\nEND:VJOURNAL";
  const fair = vevent("DTSTART:20261127T170000Z");
  const whole = await readCalendar(calendar(task, fair, journal));
  expect(whole.events).toMatchObject([{ title: "Fair" }]);
  expect(whole.untaken).toEqual([
    { title: "Buy paint", why: expect.stringMatching(/^it is a task,/) },
    { title: "A day", why: expect.stringMatching(/^it is a journal entry,/) },
  ]);
  const cut = calendar(fair).replace("END:VCALENDAR", "BEGIN:VEVENT\r\nUID:u2\r\nSUMMARY:Second\r\nDTSTART:2026112");
  expect(await readCalendar(cut)).toMatchObject({
    events: [{ title: "Fair" }],
    untaken: [{ title: "Second", why: expect.stringMatching(/^the file ends in the middle of it/) }],
  });
});

test("every zone that a written calendar names is described in it (5545 §3.2.19)", async () => {
  const times = { start: "2026-11-27T17:00:00", end: "2026-11-27T18:00:00", zone: "Europe/Berlin" };
  const recurrence = [
    "RRULE:FREQ=WEEKLY",
    "RDATE;TZID=America/New_York:20270102T100000,20290704T100000",
    "EXDATE;TZID=W. Europe Standard Time:20261204T170000",
    "EXDATE:20261211T160000Z",
  ];
  const event = addEntity(temporaryStore(), "event", { title: "Fair", ...times, recurrence }, 1);
  const text = await writeCalendar([event]);
  const described = [...text.matchAll(/^TZID:(.*)\r$/gm)].map(([, tzid]) => tzid);
  expect(described.toSorted()).toEqual(["America/New_York", "Europe/Berlin", "W. Europe Standard Time"]);
  expect((await readCalendar(text)).events).toMatchObject([{ ...times, recurrence }]);
});

test("an event without a UID, as web pages give them, is taken once, and again only where it says something else", async () => {
  const store = temporaryStore();
  const event = (stamp: string, start: string) =>
    calendar(vevent(`DTSTART:${start}`).replace("UID:u1\r\n", "").replace("20261101T100000Z", stamp));
  const take = async (text: string) => importEvents(store, await readCalendar(text), 1);
  expect(await take(event("20261101T100000Z", "20261127T170000Z"))).toMatchObject({ added: 1, untaken: [] });
  expect(await take(event("20261102T100000Z", "20261127T170000Z"))).toMatchObject({ added: 0, untaken: [] });
  expect(await take(event("20261102T100000Z", "20261128T170000Z"))).toMatchObject({ added: 1 });
  expect(store.work.event.list()).toHaveLength(2);
});
