/** A mail holds one event, or a few; a whole calendar is somebody's file. */
const mostEvents = 5;
const mostCharacters = 100_000;
const fieldCharacters = 300;
const descriptionCharacters = 4_000;

const methods: Readonly<Record<string, string>> = {
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
  const method = lines.find((line) => /^METHOD:/i.test(line))?.slice(7) ?? "";
  const title = methods[method.trim().toLowerCase()] ?? "Event";
  const cards: string[] = [];
  let event: Map<string, string> | undefined;
  for (const line of lines) {
    if (/^BEGIN:V(?:EVENT|TODO)\s*$/i.test(line)) event = new Map();
    else if (/^END:V(?:EVENT|TODO)\s*$/i.test(line)) {
      if (event) cards.push(card(title, event, withDescription));
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
  const commonName = /;CN=(?:"([^"]*)"|([^;:]*))/i.exec(parameters);
  event.set(key, key === "ORGANIZER" ? (commonName?.[1] ?? commonName?.[2] ?? value) : value);
}

function card(title: string, event: ReadonlyMap<string, string>, withDescription: boolean): string {
  const text = (key: string, characters = fieldCharacters) => unescaped((event.get(key) ?? "").slice(0, characters));
  const when = [text("DTSTART"), text("DTEND") || text("DUE")].filter((each) => each !== "").map(readableTime);
  return [
    `${title}: ${text("SUMMARY")}`,
    when.length > 0 ? `When: ${when.join(" to ")}` : "",
    text("LOCATION") === "" ? "" : `Where: ${text("LOCATION")}`,
    text("ORGANIZER") === "" ? "" : `Organizer: ${text("ORGANIZER").replace(/^mailto:/i, "")}`,
    withDescription ? text("DESCRIPTION", descriptionCharacters) : "",
  ]
    .filter((line) => line !== "")
    .join("\n");
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
