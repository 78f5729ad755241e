import { expect, test } from "vitest";
import { categorizeByRules } from "../../device/categorize/rules.ts";
import { item, known } from "./case.ts";

const part = (method: string, ...lines: readonly string[]): string =>
  [
    "BEGIN:VCALENDAR",
    `METHOD:${method}`,
    "BEGIN:VEVENT",
    "DTSTAMP:20261110T080000Z",
    "SUMMARY:Plan the bridge",
    "DTSTART:20261127T150000Z",
    ...lines,
    "END:VEVENT",
    "END:VCALENDAR",
    "",
  ].join("\r\n");

const draftOf = async (...calendars: readonly string[]) =>
  (await categorizeByRules(item({ calendars }), known())).draft;

test("events of several calendar parts are counted like those of one, and the same one sent twice is none more", async () => {
  const [one, other] = [part("REQUEST", "UID:one"), part("REQUEST", "UID:other")];
  expect((await draftOf(one, other)).reasons).toContain("more_events");
  expect((await draftOf(one, part("REQUEST", "UID:one", "LOCATION:Shed"))).reasons).not.toContain("more_events");
});

test("a calendar part that cannot be read is named beside one that can", async () => {
  const one = part("REQUEST", "UID:one");
  const broken = "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n";
  expect((await draftOf(one, broken)).dropped).toEqual(["calendar_unreadable"]);
  expect(await draftOf(broken, one)).toMatchObject({ title: "Plan the bridge", dropped: ["calendar_unreadable"] });
  expect((await draftOf(one, one)).dropped).toEqual([]);
});

test.each(["REPLY", "COUNTER", "CANCEL"])("what somebody says with a %s is in the note", async (method) => {
  const who = "ATTENDEE;CN=Bea;PARTSTAT=DECLINED:mailto:bea@example.org";
  const draft = await draftOf(part(method, "UID:one", who, "COMMENT:Can we do it later?", "DESCRIPTION:The bridge."));
  expect(draft.note).toBe("Can we do it later?\nThe bridge.");
});
