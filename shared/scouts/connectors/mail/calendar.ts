/** A mail holds one event, or a few; a whole calendar is somebody's file. */
const mostEvents = 5;
const mostCharacters = 100_000;
const fieldCharacters = 300;
const descriptionCharacters = 4_000;

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
  for (const line of lines) {
    if (/^BEGIN:V(?:EVENT|TODO)\s*$/i.test(line)) event = new Map();
    else if (/^END:V(?:EVENT|TODO)\s*$/i.test(line)) {
      if (event) cards.push(card(method, event, withDescription));
      event = undefined;
      if (cards.length >= mostEvents) break;
    } else if (event) keep(event, line);
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
  const text = (key: string, characters = fieldCharacters) => unescaped((event.get(key) ?? "").slice(0, characters));
  const line = (name: string, value: string) => (value === "" ? "" : `${name}: ${value}`);
  const isAnswer = method === "reply" || method === "counter";
  const answer = text("PARTSTAT") === "" ? text("ATTENDEE") : `${text("ATTENDEE")} (${text("PARTSTAT")})`;
  return [
    `${titles[method] ?? "Event"}: ${text("SUMMARY")}`,
    line("From", isAnswer ? answer : ""),
    line("When", whenOf(text("DTSTART"), text("DTEND") || text("DUE"), text("TZID"))),
    line("Where", text("LOCATION")),
    line("Organizer", text("ORGANIZER")),
    line("Comment", text("COMMENT", descriptionCharacters)),
    withDescription ? text("DESCRIPTION", descriptionCharacters) : "",
  ]
    .filter((each) => each !== "")
    .join("\n");
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
