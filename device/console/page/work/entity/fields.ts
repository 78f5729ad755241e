import { isDay } from "../../decide/day.ts";
import type { Kind } from "../kinds.ts";
import type { One, Said } from "../queries.ts";
import { typedMoment } from "../times.ts";

/** How a field is filled in. A `list` has an entry on each line. */
type Form = "line" | "lines" | "list" | "priority" | "project" | "status";

/** What may be said of each kind, in the order one reads it. */
export const fieldsOf: Readonly<Record<Kind, readonly (readonly [name: string, form: Form])[]>> = {
  task: [
    ["title", "line"],
    ["due", "line"],
    ["priority", "priority"],
    ["projectId", "project"],
    ["note", "lines"],
  ],
  event: [
    ["title", "line"],
    ["start", "line"],
    ["end", "line"],
    ["zone", "line"],
    ["place", "line"],
    ["people", "list"],
    ["status", "status"],
    ["note", "lines"],
  ],
  note: [
    ["title", "line"],
    ["markdown", "lines"],
  ],
  person: [
    ["name", "line"],
    ["addresses", "list"],
    ["note", "lines"],
  ],
  memory: [
    ["fact", "lines"],
    ["source", "line"],
  ],
};

/** What a form holds: a text for each field. */
export type Draft = Readonly<Record<string, string>>;

/** What one says, as a person types it. */
export function draftOf(kind: Kind, { entity, zone }: One): Draft {
  const values: Readonly<Record<string, unknown>> = entity;
  return Object.fromEntries(fieldsOf[kind].map(([name]) => [name, typed(name, values, zone)]));
}

function typed(name: string, values: Readonly<Record<string, unknown>>, zone: string): string {
  const value = values[name];
  if (Array.isArray(value)) return value.join("\n");
  if (name === "zone") return value === null && values["isAllDay"] !== true ? "floating" : String(value ?? "");
  if (name === "due" && typeof value === "string" && !isDay(value)) return typedMoment(value, zone);
  if (name === "end" && values["isAllDay"] === true) return dayBefore(String(value));
  if (name === "start" || name === "end") return String(value).replace("T", " ").replace(/:00$/, "");
  return String(value ?? "");
}

/** The last day of what lasts all day: kept is the first one after it. */
function dayBefore(day: string): string {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() - 1);
  return at.toISOString().slice(0, 10);
}

/** The fields in which two drafts differ. */
export const otherFields = (one: Draft, other: Draft): string[] =>
  Object.keys(one).filter((name) => (one[name] ?? "").trim() !== (other[name] ?? "").trim());

/** What is said by a draft that its one does not say yet. */
export function saidBy(kind: Kind, was: Draft, draft: Draft): Said {
  const changed = new Set(otherFields(was, draft));
  return Object.fromEntries(
    fieldsOf[kind].flatMap(([name, form]) => (changed.has(name) ? [[name, saidIn(form, draft[name] ?? "")]] : [])),
  );
}

function saidIn(form: Form, text: string): unknown {
  if (form === "list")
    return text
      .split("\n")
      .map((each) => each.trim())
      .filter((each) => each !== "");
  return form === "project" && text === "" ? null : text;
}

/** What a form stands on: what was seen when it was begun, and what is typed. */
export interface Begun {
  readonly revision: number;
  readonly was: Draft;
  readonly draft: Draft;
}

/** A form on what one is now, and where both sides have changed the same to something else. */
export interface OnNow {
  readonly begun: Begun;
  readonly conflicts: readonly string[];
}

/** Brings a form to what its one is by now: what only others have changed is taken, what both have is the person's to choose. */
export function onNow(kind: Kind, { revision, was, draft }: Begun, one: One): OnNow {
  const now = draftOf(kind, one);
  if (one.revision === revision) return { begun: { revision, was, draft }, conflicts: [] };
  const mine = otherFields(was, draft);
  const theirs = otherFields(was, now);
  const conflicts = mine.filter((name) => theirs.includes(name) && draft[name] !== now[name]);
  if (conflicts.length > 0) return { begun: { revision, was, draft }, conflicts };
  return { begun: mineOn(kind, { revision, was, draft }, one), conflicts: [] };
}

/** What is typed, on what one is now: fields that only others have changed are as they have them. */
export function mineOn(kind: Kind, { was, draft }: Begun, one: One): Begun {
  const now = draftOf(kind, one);
  const mine = Object.fromEntries(otherFields(was, draft).map((name) => [name, draft[name] ?? ""]));
  return { revision: one.revision, was: now, draft: { ...now, ...mine } };
}
