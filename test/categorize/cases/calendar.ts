import type { KnownRevision } from "../../../device/categorize/item-view.ts";
import type { Category, Priority } from "../../../events/proposals/categorize.ts";
import { type CategorizeCase, type Entity, item, known, revision } from "../case.ts";

/** A calendar part with one component (RFC 5545 §3.4, §3.6). */
const calendar = (method: string, component: string, ...lines: readonly string[]): string =>
  [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Example Corp.//EN",
    ...(method === "" ? [] : [`METHOD:${method}`]),
    `BEGIN:${component}`,
    ...lines,
    `END:${component}`,
    "END:VCALENDAR",
    "",
  ].join("\r\n");

const base = ["UID:bridge@example.org", "DTSTAMP:20261110T080000Z", "SUMMARY:Plan the bridge"];
const friday = [...base, "DTSTART;TZID=Europe/Berlin:20261127T150000", "DTEND;TZID=Europe/Berlin:20261127T160000"];
const uid = "bridge@example.org";
const fridayEntity: Entity = {
  title: "Plan the bridge",
  start: "2026-11-27T15:00:00",
  end: "2026-11-27T16:00:00",
  zone: "Europe/Berlin",
  uid,
  status: "confirmed",
};

interface Row {
  readonly name: string;
  readonly ics: string | readonly string[];
  readonly before?: KnownRevision;
  readonly stranger?: true;
  readonly is: readonly [Category, Priority];
  readonly entity: Entity;
}

const event = (...lines: readonly string[]) => calendar("REQUEST", "VEVENT", ...lines);
const bare = (title: string, more: Entity = {}): Entity => ({ title, uid, status: "confirmed", ...more });

const rows: readonly Row[] = [
  { name: "REQUEST (5546 §3.2.2)", ics: event(...friday), is: ["event", "later"], entity: fridayEntity },
  {
    name: "PUBLISH (5546 §3.2.1)",
    ics: calendar("PUBLISH", "VEVENT", ...friday),
    is: ["event", "later"],
    entity: fridayEntity,
  },
  {
    name: "no METHOD counts as PUBLISH",
    ics: calendar("", "VEVENT", ...friday),
    is: ["event", "later"],
    entity: fridayEntity,
  },
  {
    name: "ADD (5546 §3.2.4)",
    ics: calendar("ADD", "VEVENT", ...friday, "SEQUENCE:4"),
    is: ["event", "later"],
    entity: { ...fridayEntity, sequence: 4 },
  },
  {
    name: "lower-case method",
    ics: calendar("request", "VEVENT", ...friday),
    is: ["event", "later"],
    entity: fridayEntity,
  },
  {
    name: "a stranger's invitation for tomorrow is soon at most",
    ics: event(...base, "DTSTART:20261119T080000Z", "DTEND:20261119T090000Z"),
    stranger: true,
    is: ["event", "soon"],
    entity: bare("Plan the bridge", { start: "2026-11-19T08:00:00", end: "2026-11-19T09:00:00", zone: "UTC" }),
  },
  {
    name: "within a day, of somebody known",
    ics: event(...base, "DTSTART:20261119T080000Z", "DTEND:20261119T090000Z"),
    is: ["event", "now"],
    entity: bare("Plan the bridge", { start: "2026-11-19T08:00:00", end: "2026-11-19T09:00:00", zone: "UTC" }),
  },
  {
    name: "within a week",
    ics: event(...base, "DTSTART:20261124T080000Z", "DTEND:20261124T090000Z"),
    is: ["event", "soon"],
    entity: bare("Plan the bridge", { start: "2026-11-24T08:00:00", end: "2026-11-24T09:00:00", zone: "UTC" }),
  },
  {
    name: "one that is over",
    ics: event(...base, "DTSTART:20261101T080000Z", "DTEND:20261101T090000Z"),
    is: ["event", "none"],
    entity: bare("Plan the bridge", { start: "2026-11-01T08:00:00", end: "2026-11-01T09:00:00", zone: "UTC" }),
  },
  {
    name: "one that goes on",
    ics: event(...base, "DTSTART:20261118T090000Z", "DTEND:20261118T120000Z"),
    is: ["event", "now"],
    entity: bare("Plan the bridge", { start: "2026-11-18T09:00:00", end: "2026-11-18T12:00:00", zone: "UTC" }),
  },
  {
    name: "all day (5545 §3.6.1: DTEND is the day after)",
    ics: event(...base, "DTSTART;VALUE=DATE:20261204", "DTEND;VALUE=DATE:20261206"),
    is: ["event", "later"],
    entity: bare("Plan the bridge", { start: "2026-12-04", end: "2026-12-06", isAllDay: true }),
  },
  {
    name: "a day without an end lasts one day",
    ics: event(...base, "DTSTART;VALUE=DATE:20261204"),
    is: ["event", "later"],
    entity: bare("Plan the bridge", { start: "2026-12-04", end: "2026-12-05", isAllDay: true }),
  },
  {
    name: "a time without an end ends as it begins",
    ics: event(...base, "DTSTART;TZID=Europe/Berlin:20261204T090000"),
    is: ["event", "later"],
    entity: bare("Plan the bridge", {
      start: "2026-12-04T09:00:00",
      end: "2026-12-04T09:00:00",
      zone: "Europe/Berlin",
    }),
  },
  {
    name: "DURATION in hours and minutes (5545 §3.3.6)",
    ics: event(...base, "DTSTART;TZID=Europe/Berlin:20261204T090000", "DURATION:PT1H30M"),
    is: ["event", "later"],
    entity: bare("Plan the bridge", {
      start: "2026-12-04T09:00:00",
      end: "2026-12-04T10:30:00",
      zone: "Europe/Berlin",
    }),
  },
  {
    name: "DURATION in days",
    ics: event(...base, "DTSTART;VALUE=DATE:20261204", "DURATION:P3D"),
    is: ["event", "later"],
    entity: bare("Plan the bridge", { start: "2026-12-04", end: "2026-12-07", isAllDay: true }),
  },
  {
    name: "DURATION of a week",
    ics: event(...base, "DTSTART;VALUE=DATE:20261204", "DURATION:P1W"),
    is: ["event", "later"],
    entity: bare("Plan the bridge", { start: "2026-12-04", end: "2026-12-11", isAllDay: true }),
  },
  {
    name: "floating (5545 §3.3.5, form 1)",
    ics: event(...base, "DTSTART:20261204T090000", "DTEND:20261204T100000"),
    is: ["event", "later"],
    entity: bare("Plan the bridge", { start: "2026-12-04T09:00:00", end: "2026-12-04T10:00:00" }),
  },
  {
    name: "UTC (form 2)",
    ics: event(...base, "DTSTART:20261204T090000Z", "DTEND:20261204T100000Z"),
    is: ["event", "later"],
    entity: bare("Plan the bridge", { start: "2026-12-04T09:00:00", end: "2026-12-04T10:00:00", zone: "UTC" }),
  },
  {
    name: "start and end in two zones: shown as where it starts",
    ics: event(...base, "DTSTART;TZID=Europe/Berlin:20261204T090000", "DTEND;TZID=America/New_York:20261204T050000"),
    is: ["event", "later"],
    entity: bare("Plan the bridge", {
      start: "2026-12-04T09:00:00",
      end: "2026-12-04T11:00:00",
      zone: "Europe/Berlin",
    }),
  },
  {
    name: "a Windows zone",
    ics: event(
      ...base,
      "DTSTART;TZID=W. Europe Standard Time:20261204T090000",
      "DTEND;TZID=W. Europe Standard Time:20261204T100000",
    ),
    is: ["event", "later"],
    entity: bare("Plan the bridge", {
      start: "2026-12-04T09:00:00",
      end: "2026-12-04T10:00:00",
      zone: "Europe/Berlin",
    }),
  },
  {
    name: "a zone behind a prefix",
    ics: event(
      ...base,
      "DTSTART;TZID=/freeassociation.sourceforge.net/America/Chicago:20261204T090000",
      "DURATION:PT1H",
    ),
    is: ["event", "later"],
    entity: bare("Plan the bridge", {
      start: "2026-12-04T09:00:00",
      end: "2026-12-04T10:00:00",
      zone: "America/Chicago",
    }),
  },
  {
    name: "an impossible zone: times as they are written",
    ics: event(...base, "DTSTART;TZID=Mars/Olympus:20261204T090000", "DTEND;TZID=Mars/Olympus:20261204T100000"),
    is: ["event", "later"],
    entity: bare("Plan the bridge", { start: "2026-12-04T09:00:00", end: "2026-12-04T10:00:00" }),
  },
  {
    name: "a zone with an offset of 100 hours in its VTIMEZONE is not read",
    ics: event(
      ...base,
      "DTSTART;TZID=Customized Time Zone:20261204T090000",
      "DTEND;TZID=Customized Time Zone:20261204T100000",
    ),
    is: ["event", "later"],
    entity: bare("Plan the bridge", { start: "2026-12-04T09:00:00", end: "2026-12-04T10:00:00" }),
  },
  {
    name: "an hour that clocks skip (28 March 2027 in Berlin) is kept as written, and ends an hour after what it means (5545 §3.3.5)",
    ics: event(...base, "DTSTART;TZID=Europe/Berlin:20270328T023000", "DURATION:PT1H"),
    is: ["event", "later"],
    entity: bare("Plan the bridge", {
      start: "2027-03-28T02:30:00",
      end: "2027-03-28T04:30:00",
      zone: "Europe/Berlin",
    }),
  },
  {
    name: "an end before its start is dropped",
    ics: event(...base, "DTSTART:20261204T090000Z", "DTEND:20261204T080000Z"),
    is: ["event", "later"],
    entity: bare("Plan the bridge", { start: "2026-12-04T09:00:00", end: "2026-12-04T09:00:00", zone: "UTC" }),
  },
  {
    name: "30 February is no day: no event",
    ics: event(...base, "DTSTART:20270230T090000Z"),
    is: ["information", "later"],
    entity: {},
  },
  {
    name: "25 o'clock is no time: no event",
    ics: event(...base, "DTSTART:20261204T250000Z"),
    is: ["information", "later"],
    entity: {},
  },
  {
    name: "no UID: no event (5545 §3.8.4.7)",
    ics: event("DTSTAMP:20261110T080000Z", "SUMMARY:Plan", "DTSTART:20261204T090000Z"),
    is: ["information", "later"],
    entity: {},
  },
  { name: "no calendar at all", ics: "this is no calendar", is: ["information", "later"], entity: {} },
  {
    name: "a calendar that ends in the middle",
    ics: "BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nBEGIN:VEVENT\r\nUID:x",
    is: ["information", "later"],
    entity: {},
  },
  {
    name: "an empty calendar",
    ics: "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n",
    is: ["information", "later"],
    entity: {},
  },
  {
    name: "the second part is read where the first cannot be",
    ics: ["nonsense", event(...friday)],
    is: ["event", "later"],
    entity: fridayEntity,
  },
  {
    name: "the same part twice is one event",
    ics: [event(...friday), event(...friday)],
    is: ["event", "later"],
    entity: fridayEntity,
  },
  {
    name: "without a title",
    ics: event("UID:bridge@example.org", "DTSTAMP:20261110T080000Z", "DTSTART:20261204T090000Z"),
    is: ["event", "later"],
    entity: bare("(no title)", { start: "2026-12-04T09:00:00", end: "2026-12-04T09:00:00", zone: "UTC" }),
  },
  {
    name: "escaped and folded text (5545 §3.1, §3.3.11)",
    ics: event(
      "UID:bridge@example.org",
      "DTSTAMP:20261110T080000Z",
      "SUMMARY:Lunch\\, then",
      "  the bridge\\; bring hats",
      "LOCATION:Kantine\\, 2. Stock",
      "DTSTART:20261204T110000Z",
      "DTEND:20261204T120000Z",
    ),
    is: ["event", "later"],
    entity: bare("Lunch, then the bridge; bring hats", {
      start: "2026-12-04T11:00:00",
      end: "2026-12-04T12:00:00",
      zone: "UTC",
      place: "Kantine, 2. Stock",
    }),
  },
  {
    name: "people by name, else by address",
    ics: event(
      ...friday,
      'ATTENDEE;CN="Grace Hopper";PARTSTAT=NEEDS-ACTION:mailto:grace@example.org',
      "ATTENDEE:mailto:alan@example.org",
    ),
    is: ["event", "later"],
    entity: { ...fridayEntity, people: ["Grace Hopper", "alan@example.org"] },
  },
  {
    name: "tentative (5545 §3.8.1.11)",
    ics: event(...friday, "STATUS:TENTATIVE"),
    is: ["event", "later"],
    entity: { ...fridayEntity, status: "tentative" },
  },
  {
    name: "a series keeps its rule and is not worked out",
    ics: event(...friday, "RRULE:FREQ=WEEKLY;COUNT=10"),
    is: ["event", "later"],
    entity: fridayEntity,
  },
  {
    name: "a rule bomb: every second for ever",
    ics: event(...friday, "RRULE:FREQ=SECONDLY;INTERVAL=1"),
    is: ["event", "later"],
    entity: fridayEntity,
  },
  {
    name: "a rule bomb: a million days of the month",
    ics: event(
      ...friday,
      `RRULE:FREQ=YEARLY;BYYEARDAY=${Array.from({ length: 366 }, (_, at) => at + 1).join(",")};BYHOUR=${Array.from({ length: 24 }, (_, at) => at).join(",")};COUNT=1000000`,
    ),
    is: ["event", "later"],
    entity: fridayEntity,
  },
  {
    name: "exceptions of 50,000 characters",
    ics: event(...friday, `EXDATE:${Array.from({ length: 3_000 }, () => "20261204T090000Z").join(",")}`),
    is: ["event", "later"],
    entity: fridayEntity,
  },
  {
    name: "a series that began long ago",
    ics: event(
      ...base,
      "DTSTART;TZID=Europe/Berlin:20250106T090000",
      "DTEND;TZID=Europe/Berlin:20250106T093000",
      "RRULE:FREQ=WEEKLY",
    ),
    is: ["event", "later"],
    entity: bare("Plan the bridge", {
      start: "2025-01-06T09:00:00",
      end: "2025-01-06T09:30:00",
      zone: "Europe/Berlin",
    }),
  },
  {
    name: "one of a series (RECURRENCE-ID)",
    ics: event(...friday, "RECURRENCE-ID;TZID=Europe/Berlin:20261127T140000", "SEQUENCE:2"),
    is: ["event", "later"],
    entity: { ...fridayEntity, sequence: 2 },
  },
  {
    name: "an update: the same UID, a higher SEQUENCE",
    ics: event(
      ...base,
      "SEQUENCE:1",
      "DTSTART;TZID=Europe/Berlin:20261128T150000",
      "DTEND;TZID=Europe/Berlin:20261128T160000",
    ),
    before: revision({}),
    is: ["event", "later"],
    entity: { ...fridayEntity, start: "2026-11-28T15:00:00", end: "2026-11-28T16:00:00", sequence: 1 },
  },
  {
    name: "an update of the same SEQUENCE that was written later",
    ics: event(...friday, "LOCATION:Room 2"),
    before: revision({}),
    is: ["event", "later"],
    entity: { ...fridayEntity, place: "Room 2" },
  },
  {
    name: "updates out of order: the older comes last and is outdated",
    ics: event(...friday, "SEQUENCE:1"),
    before: revision({ sequence: 2 }),
    is: ["information", "none"],
    entity: { ...fridayEntity, sequence: 1 },
  },
  {
    name: "the same SEQUENCE, written earlier, is outdated",
    ics: event(...friday),
    before: revision({ stampedAt: Date.parse("2026-11-11T08:00:00Z") }),
    is: ["information", "none"],
    entity: fridayEntity,
  },
  {
    name: "CANCEL (5546 §3.2.5)",
    ics: calendar("CANCEL", "VEVENT", ...friday, "SEQUENCE:1", "STATUS:CANCELLED"),
    before: revision({}),
    is: ["event", "later"],
    entity: { ...fridayEntity, sequence: 1, status: "cancelled" },
  },
  {
    name: "CANCEL without DTSTART takes the time that is known",
    ics: calendar("CANCEL", "VEVENT", "UID:bridge@example.org", "DTSTAMP:20261110T080000Z", "SEQUENCE:1"),
    before: revision({}),
    is: ["event", "later"],
    entity: { ...fridayEntity, sequence: 1, status: "cancelled" },
  },
  {
    name: "CANCEL of what nobody knows matters to nobody",
    ics: calendar("CANCEL", "VEVENT", ...friday, "SEQUENCE:1"),
    is: ["event", "none"],
    entity: { ...fridayEntity, sequence: 1, status: "cancelled" },
  },
  {
    name: "CANCEL of what nobody knows, without a time",
    ics: calendar("CANCEL", "VEVENT", "UID:bridge@example.org", "DTSTAMP:20261110T080000Z"),
    is: ["information", "none"],
    entity: bare("(no title)", { status: "cancelled" }),
  },
  {
    name: "CANCEL before REQUEST: the invitation does not come to life",
    ics: event(...friday),
    before: revision({ status: "cancelled", sequence: 1 }),
    is: ["information", "none"],
    entity: fridayEntity,
  },
  {
    name: "CANCEL and REQUEST written in the same second: the cancellation counts",
    ics: event(...friday),
    before: revision({ status: "cancelled", stampedAt: Date.parse("2026-11-10T08:00:00Z") }),
    is: ["information", "none"],
    entity: fridayEntity,
  },
  {
    name: "a new REQUEST after a CANCEL revives it by its SEQUENCE",
    ics: event(...friday, "SEQUENCE:3"),
    before: revision({ status: "cancelled", sequence: 2 }),
    is: ["event", "later"],
    entity: { ...fridayEntity, sequence: 3 },
  },
  {
    name: "CANCEL for today, of somebody known",
    ics: calendar("CANCEL", "VEVENT", ...base, "SEQUENCE:1", "DTSTART:20261118T140000Z", "DTEND:20261118T150000Z"),
    before: revision({ start: "2026-11-18T14:00:00", end: "2026-11-18T15:00:00", zone: "UTC" }),
    is: ["event", "now"],
    entity: bare("Plan the bridge", {
      start: "2026-11-18T14:00:00",
      end: "2026-11-18T15:00:00",
      zone: "UTC",
      sequence: 1,
      status: "cancelled",
    }),
  },
  {
    name: "CANCEL of what is over",
    ics: calendar("CANCEL", "VEVENT", ...base, "SEQUENCE:1", "DTSTART:20261101T140000Z", "DTEND:20261101T150000Z"),
    before: revision({ start: "2026-11-01T14:00:00", end: "2026-11-01T15:00:00", zone: "UTC" }),
    is: ["event", "none"],
    entity: bare("Plan the bridge", {
      start: "2026-11-01T14:00:00",
      end: "2026-11-01T15:00:00",
      zone: "UTC",
      sequence: 1,
      status: "cancelled",
    }),
  },
  {
    name: "CANCEL of one of a series",
    ics: calendar("CANCEL", "VEVENT", ...friday, "RECURRENCE-ID;TZID=Europe/Berlin:20261127T150000", "SEQUENCE:1"),
    before: revision({}),
    is: ["event", "later"],
    entity: { ...fridayEntity, sequence: 1, status: "cancelled" },
  },
  {
    name: "STATUS:CANCELLED in a PUBLISH is a cancellation",
    ics: calendar("PUBLISH", "VEVENT", ...friday, "SEQUENCE:1", "STATUS:CANCELLED"),
    before: revision({}),
    is: ["event", "later"],
    entity: { ...fridayEntity, sequence: 1, status: "cancelled" },
  },
  {
    name: "REPLY: accepted (5546 §3.2.3)",
    ics: calendar(
      "REPLY",
      "VEVENT",
      ...friday,
      'ATTENDEE;CN="Grace Hopper";PARTSTAT=ACCEPTED:mailto:grace@example.org',
    ),
    is: ["information", "none"],
    entity: { title: "Grace Hopper: accepted Plan the bridge", people: ["Grace Hopper"] },
  },
  {
    name: "REPLY: declined, without a time",
    ics: calendar("REPLY", "VEVENT", ...base, "ATTENDEE;PARTSTAT=DECLINED:mailto:grace@example.org"),
    is: ["information", "none"],
    entity: { title: "grace@example.org: declined Plan the bridge", people: ["grace@example.org"] },
  },
  {
    name: "REPLY: tentative",
    ics: calendar("REPLY", "VEVENT", ...friday, "ATTENDEE;CN=Grace;PARTSTAT=TENTATIVE:mailto:grace@example.org"),
    is: ["information", "none"],
    entity: { title: "Grace: may come to Plan the bridge", people: ["Grace"] },
  },
  {
    name: "REPLY: delegated",
    ics: calendar("REPLY", "VEVENT", ...friday, "ATTENDEE;CN=Grace;PARTSTAT=DELEGATED:mailto:grace@example.org"),
    is: ["information", "none"],
    entity: { title: "Grace: sends somebody else to Plan the bridge", people: ["Grace"] },
  },
  {
    name: "COUNTER (5546 §3.2.7): another time wants an answer",
    ics: calendar(
      "COUNTER",
      "VEVENT",
      ...base,
      "DTSTART;TZID=Europe/Berlin:20261130T150000",
      "DTEND;TZID=Europe/Berlin:20261130T160000",
      "ATTENDEE;CN=Grace;PARTSTAT=TENTATIVE:mailto:grace@example.org",
    ),
    is: ["reply", "soon"],
    entity: {
      title: "Another time for Plan the bridge",
      people: ["Grace"],
      start: "2026-11-30T15:00:00",
      end: "2026-11-30T16:00:00",
      zone: "Europe/Berlin",
    },
  },
  {
    name: "REFRESH (5546 §3.2.6)",
    ics: calendar(
      "REFRESH",
      "VEVENT",
      "UID:bridge@example.org",
      "DTSTAMP:20261110T080000Z",
      "ATTENDEE:mailto:grace@example.org",
    ),
    is: ["information", "none"],
    entity: { title: "(no title)", people: ["grace@example.org"] },
  },
  {
    name: "DECLINECOUNTER (5546 §3.2.8)",
    ics: calendar("DECLINECOUNTER", "VEVENT", ...friday),
    is: ["information", "none"],
    entity: { title: "Plan the bridge" },
  },
  {
    name: "free and busy (5545 §3.6.4)",
    ics: calendar("PUBLISH", "VFREEBUSY", "UID:busy@example.org", "DTSTAMP:20261110T080000Z"),
    is: ["information", "none"],
    entity: { title: "(no title)" },
  },
  {
    name: "a journal is to be kept (5545 §3.6.3)",
    ics: calendar(
      "PUBLISH",
      "VJOURNAL",
      "UID:j@example.org",
      "DTSTAMP:20261110T080000Z",
      "SUMMARY:Minutes of the bridge",
    ),
    is: ["note", "none"],
    entity: { title: "Minutes of the bridge" },
  },
  {
    name: "VTODO due on a day (5545 §3.6.2)",
    ics: calendar(
      "REQUEST",
      "VTODO",
      "UID:t@example.org",
      "DTSTAMP:20261110T080000Z",
      "SUMMARY:Paint the rail",
      "DUE;VALUE=DATE:20261204",
    ),
    is: ["task", "later"],
    entity: { title: "Paint the rail", due: "2026-12-04" },
  },
  {
    name: "VTODO due at a time in a zone",
    ics: calendar(
      "REQUEST",
      "VTODO",
      "UID:t@example.org",
      "DTSTAMP:20261110T080000Z",
      "SUMMARY:Paint the rail",
      "DUE;TZID=Europe/Berlin:20261124T170000",
    ),
    is: ["task", "soon"],
    entity: { title: "Paint the rail", due: "2026-11-24T16:00:00Z" },
  },
  {
    name: "VTODO due at a floating time: the day",
    ics: calendar(
      "REQUEST",
      "VTODO",
      "UID:t@example.org",
      "DTSTAMP:20261110T080000Z",
      "SUMMARY:Paint the rail",
      "DUE:20261124T170000",
    ),
    is: ["task", "soon"],
    entity: { title: "Paint the rail", due: "2026-11-24" },
  },
  {
    name: "VTODO without a day",
    ics: calendar("REQUEST", "VTODO", "UID:t@example.org", "DTSTAMP:20261110T080000Z", "SUMMARY:Paint the rail"),
    is: ["task", "none"],
    entity: { title: "Paint the rail" },
  },
  {
    name: "VTODO that is overdue",
    ics: calendar(
      "REQUEST",
      "VTODO",
      "UID:t@example.org",
      "DTSTAMP:20261110T080000Z",
      "SUMMARY:Paint the rail",
      "DUE;VALUE=DATE:20261116",
    ),
    is: ["task", "now"],
    entity: { title: "Paint the rail", due: "2026-11-16" },
  },
  {
    name: "VTODO cancelled",
    ics: calendar(
      "CANCEL",
      "VTODO",
      "UID:t@example.org",
      "DTSTAMP:20261110T080000Z",
      "SUMMARY:Paint the rail",
      "DUE;VALUE=DATE:20261204",
    ),
    is: ["information", "none"],
    entity: { title: "Paint the rail", due: "2026-12-04" },
  },
  {
    name: "SEQUENCE that is no number counts as none",
    ics: event(...friday, "SEQUENCE:-5"),
    is: ["event", "later"],
    entity: fridayEntity,
  },
];

export const calendarCases: readonly CategorizeCase[] = rows.map(({ name, ics, before, stranger, is, entity }) => ({
  name: `calendar: ${name}`,
  item: item({ calendars: typeof ics === "string" ? [ics] : ics, reasonCode: "calendar" }),
  known: known({ isSenderKnown: stranger !== true, revisionOf: () => before }),
  category: is[0],
  priority: is[1],
  entity,
}));
