import type { MessageRow } from "./store/messages.ts";

type Test = (message: MessageRow) => boolean;

export interface Query {
  readonly tests: readonly Test[];
  /** The query says where to look, so spam and trash are not left out by default. */
  readonly namesPlace: boolean;
}

const dayMs = 24 * 3_600_000;
const unitMs: Readonly<Record<string, number>> = { d: dayMs, m: 30 * dayMs, y: 365 * dayMs };

/**
 * Understands the part of Gmail's search language that programs use
 * (https://support.google.com/mail/answer/7190): `in: label: is: from: to: subject: rfc822msgid: after: before:
 * newer_than: older_than:`, a leading `-`, quotes; other words are looked for in sender and subject. Dates are
 * `yyyy/mm/dd` (UTC) or seconds since 1970.
 */
export function parseQuery(text: string, nowMs: number): Query {
  const tests: Test[] = [];
  let namesPlace = false;
  for (const [, minus, operator, quoted, bare] of text.matchAll(/(-?)(?:(\w+):)?(?:"([^"]*)"|(\S+))/g)) {
    const value = (quoted ?? bare ?? "").replace(/^[({]|[)}]$/g, "").toLowerCase();
    const name = operator?.toLowerCase();
    const test = testFor(name, value, nowMs);
    tests.push(minus ? (message) => !test(message) : test);
    if (name === "in" && /^(anywhere|trash|spam)$/.test(value)) namesPlace = true;
  }
  return { tests, namesPlace };
}

/** Whether a message is found by a search: all of its terms must hold. */
export function matchesQuery(query: Query, message: MessageRow): boolean {
  return query.tests.every((test) => test(message));
}

function testFor(operator: string | undefined, value: string, nowMs: number): Test {
  const contains = (text: string) => text.toLowerCase().includes(value);
  switch (operator) {
    case "in":
    case "label":
    case "is":
      return placeTest(value);
    case "from":
      return (message) => contains(message.sender);
    case "to":
      return (message) => contains(message.recipients);
    case "subject":
      return (message) => contains(message.subject);
    case "rfc822msgid":
      return (message) => message.rfc_id.replace(/[<>]/g, "").toLowerCase() === value.replace(/[<>]/g, "");
    case "after":
    case "newer": {
      const at = pointInTime(value);
      return (message) => message.internal_date_ms >= at;
    }
    case "before":
    case "older": {
      const at = pointInTime(value);
      return (message) => message.internal_date_ms < at;
    }
    case "newer_than":
      return (message) => message.internal_date_ms >= nowMs - age(value);
    case "older_than":
      return (message) => message.internal_date_ms < nowMs - age(value);
    default:
      return (message) => contains(message.sender) || contains(message.subject);
  }
}

function placeTest(value: string): Test {
  if (value === "anywhere") return () => true;
  if (value === "read") return (message) => !message.labels.includes("UNREAD");
  const label = value === "drafts" ? "DRAFT" : value.toUpperCase();
  return (message) => message.labels.includes(label);
}

function pointInTime(value: string): number {
  if (/^\d{9,}$/.test(value)) return Number(value) * 1000;
  const [, year, month, day] = /^(\d{4})[/-](\d{1,2})[/-](\d{1,2})$/.exec(value) ?? [];
  return year === undefined ? Number.NaN : Date.UTC(Number(year), Number(month) - 1, Number(day));
}

function age(value: string): number {
  const [, count, unit] = /^(\d{1,5})([dmy])$/.exec(value) ?? [];
  return Number(count) * (unitMs[unit ?? ""] ?? Number.NaN);
}
