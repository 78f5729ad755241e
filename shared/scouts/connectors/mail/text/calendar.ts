import { readableText } from "../../../triage/readable-text.ts";

/** A mail holds one event, or a few; a whole calendar is somebody's file. */
const mostEvents = 5;
const mostCharacters = 100_000;
const fieldCharacters = 300;
const descriptionCharacters = 4_000;
/** HTML is so many times as long as its words, and more of it is not looked at. */
const mostMarkup = 8;

const titles: Readonly<Record<string, string>> = {
  request: "Invitation",
  cancel: "Cancelled",
  reply: "Answer to an invitation",
  counter: "Another time proposed",
};

/**
 * An invitation (RFC 5545, RFC 5546) as a mail program's card says it: what, when, where, who asks.
 *
 * @param withDescription whether its own words follow, for a mail that has no others
 */
export function calendarText(source: string, withDescription: boolean): string {
  const lines = source
    .slice(0, mostCharacters)
    .replace(/\r?\n[ \t]/g, "")
    .split(/\r?\n/);
  const method = (lines.find((line) => /^METHOD:/i.test(line))?.slice(7) ?? "").trim().toLowerCase();
  const cards: string[] = [];
  let event: Map<string, string> | undefined;
  let isReminder = false;
  for (const line of lines) {
    // A reminder within an event has words and times of its own.
    if (/^(?:BEGIN|END):VALARM\s*$/i.test(line)) isReminder = /^B/i.test(line);
    else if (/^BEGIN:V(?:EVENT|TODO)\s*$/i.test(line)) event = new Map();
    else if (/^END:V(?:EVENT|TODO)\s*$/i.test(line)) {
      if (event) cards.push(card(method, event, withDescription));
      event = undefined;
      isReminder = false;
      if (cards.length >= mostEvents) break;
    } else if (event && !isReminder) keep(event, line);
  }
  return cards.join("\n");
}

function keep(event: Map<string, string>, line: string): void {
  const [, name = "", parameters = "", value = ""] = /^([\w-]+)((?:;(?:[^":]|"[^"]*")*)?):(.*)$/.exec(line) ?? [];
  const key = name.toUpperCase();
  if (key === "" || event.has(key)) return;
  const isPerson = key === "ORGANIZER" || key === "ATTENDEE";
  event.set(key, isPerson ? parameterOf(parameters, "CN") || value.replace(/^mailto:/i, "") : value);
  if (key === "ATTENDEE") event.set("PARTSTAT", parameterOf(parameters, "PARTSTAT").toLowerCase());
  if (key === "DTSTART") event.set("TZID", parameterOf(parameters, "TZID"));
}

const parameterOf = (parameters: string, name: string): string => {
  const [, quoted, plain = ""] = new RegExp(`;${name}=(?:"([^"]*)"|([^;:]*))`, "i").exec(parameters) ?? [];
  return quoted ?? plain;
};

function card(method: string, event: ReadonlyMap<string, string>, withDescription: boolean): string {
  const text = (key: string) => unescaped((event.get(key) ?? "").slice(0, fieldCharacters));
  const line = (name: string, value: string) => (value === "" ? "" : `${name}: ${value}`);
  const isAnswer = method === "reply" || method === "counter";
  const answer = text("PARTSTAT") === "" ? text("ATTENDEE") : `${text("ATTENDEE")} (${text("PARTSTAT")})`;
  return [
    `${titles[method] ?? "Event"}: ${text("SUMMARY")}`,
    line("From", isAnswer ? answer : ""),
    line(
      "When",
      whenOf(
        text("DTSTART"),
        text("DTEND") || text("DUE") || endAfter(text("DTSTART"), text("DURATION")),
        text("TZID"),
      ),
    ),
    line("Where", text("LOCATION")),
    line("Organizer", text("ORGANIZER")),
    line("Comment", shownWords(event.get("COMMENT"))),
    withDescription ? shownWords(event.get("DESCRIPTION")) : "",
  ]
    .filter((each) => each !== "")
    .join("\n");
}

/** What calendars on the web write their descriptions in. */
const markup = /<\/?(?:a|b|body|br|div|em|h[1-6]|html|html-blob|i|li|ol|p|span|strong|table|u|ul)\b[^<>]{0,2000}>/i;

/** Words of an event, which may be HTML, as somebody sees them. */
function shownWords(value = ""): string {
  const words = unescaped(value.slice(0, mostMarkup * descriptionCharacters));
  return (markup.test(words) ? readableText({ html: words }) : words).slice(0, descriptionCharacters).toWellFormed();
}

const duration = /^\+?P(?:(\d{1,4})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,8})S)?)?$/;

/** When something ends that lasts so long (RFC 5545 §3.3.6), in the form its start is in; "" where either says nothing. */
function endAfter(start: string, lasts: string): string {
  const [, date = "", time = "", zulu = ""] = /^(\d{8})(?:T(\d{6})(Z?))?$/.exec(start) ?? [];
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = (duration.exec(lasts) ?? [])
    .slice(1)
    .map((each = "0") => Number(each));
  const lastsMs = ((((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds) * 1_000;
  if (date === "" || lastsMs === 0) return "";
  const at = (text: string, from: number, to: number) => Number(text.slice(from, to));
  const startMs = Date.UTC(
    at(date, 0, 4),
    at(date, 4, 6) - 1,
    at(date, 6, 8),
    at(time, 0, 2),
    at(time, 2, 4),
    at(time, 4, 6),
  );
  const end = new Date(startMs + lastsMs).toISOString().replace(/[-:]|\.\d+Z/g, "");
  return time === "" ? end.slice(0, 8) : `${end}${zulu}`;
}

/** From when to when, as clocks show it in a zone; the end of whole days is the day behind the last (RFC 5545 §3.6.1). */
function whenOf(start: string, end: string, zone: string): string {
  const isDays = /^\d{8}$/.test(start) && /^\d{8}$/.test(end);
  const last = isDays ? dayBefore(end) : end;
  const times = isDays && last <= start ? [start] : [start, last];
  const when = times.filter((each) => each !== "").map(readableTime);
  const isOfZone = zone !== "" && /T\d+$/.test(start);
  return isOfZone ? `${when.join(" to ")} (${zone})` : when.join(" to ");
}

/** @param day `20261124` */
function dayBefore(day: string): string {
  const ms = Date.UTC(Number(day.slice(0, 4)), Number(day.slice(4, 6)) - 1, Number(day.slice(6)) - 1);
  return new Date(ms).toISOString().slice(0, 10).replaceAll("-", "");
}

/** RFC 5545 §3.3.11. */
function unescaped(value: string): string {
  return value.replace(/\\([nN,;\\])/g, (_, character: string) => (/n/i.test(character) ? "\n" : character)).trim();
}

/** `20261124T130000Z` as `2026-11-24 13:00 UTC`; what is no such time stays as it is. */
function readableTime(time: string): string {
  const [, year, month, day, hour, minute, zulu] =
    /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})\d{2}(Z?))?$/.exec(time) ?? [];
  if (year === undefined) return time;
  const date = `${year}-${month}-${day}`;
  return hour === undefined ? date : `${date} ${hour}:${minute}${zulu ? " UTC" : ""}`;
}
