import * as z from "zod";
import type { MadeCall } from "./exchange.ts";

/** Words of a person's message, task, event or note that a tool has shown. */
export interface WorkLine {
  /** Whose words, for a person: `Ada, "The roof"`. */
  readonly source: string;
  /** What it is found by besides its words. */
  readonly about: string;
  /** As it stands there. */
  readonly text: string;
  /** Said behind the words: `due 2026-11-27`. */
  readonly after: string;
}

const maxOfOne = 3;
const leastWords = 3;
const text = z.string().default("");
const suggestion = z.looseObject({
  from: text,
  subject: text,
  title: text,
  place: text,
  due: text,
  when: text,
  says: z.array(z.string()).default([]),
  begins: text,
});
const named = z.looseObject({ title: text, due: text, start: text, place: text, note: text, text, status: text });
const lined = z.looseObject({ lines: z.array(z.string()).default([]) });

/** The tools of a person's messages and work, as far as this model asks them. */
export const suggestionsTool = "list_pending_scout_suggestions";
export const workSearches = [suggestionsTool, "list_tasks", "list_events", "search_notes"] as const;

/** All that tools have shown of a person's messages and work, in the order they gave it. */
export function workLines(made: readonly MadeCall[]): WorkLine[] {
  return made.flatMap(({ name, result }) => {
    const [, ...lines] = result.split("\n");
    const things = lines.flatMap((line) => parsed(line));
    if (name === suggestionsTool) return things.flatMap(linesOfSuggestion);
    if (name === "search_notes") return things.flatMap(linesOfNote);
    return name === "list_tasks" || name === "list_events" ? things.flatMap(linesOfEntity) : [];
  });
}

function linesOfSuggestion(thing: unknown): WorkLine[] {
  const { from, subject, title, place, due, when, says, begins } = suggestion.parse(thing);
  const sender = from.replace(/ <[^<>]*>$/, "");
  const times = due !== "" ? `due ${due}` : when;
  const after = [times, place].filter((each) => each !== "").join(", ");
  const words = says.length > 0 ? says : sentences(begins);
  // A feed's item may have no author, a mail no subject, and an invitation no words but what it is to.
  const texts = words.length > 0 ? words : [title || subject].filter((each) => each !== "");
  const known = [sender, subject === "" || texts.includes(subject) ? "" : `"${subject}"`].filter((each) => each !== "");
  const source = known.join(", ") || "a message";
  const about = `${from} ${subject} ${title} ${place} ${begins} ${says.join(" ")}`;
  return texts.slice(0, maxOfOne).map((each, at) => ({ source, about, text: each, after: at === 0 ? after : "" }));
}

function linesOfEntity(thing: unknown): WorkLine[] {
  const { title, due, start, place, note, status } = named.parse(thing);
  const after = [due === "" ? "" : `due ${due}`, start, place, status === "done" ? "done" : ""];
  const source = start === "" ? "your task" : "your event";
  const about = `${title} ${place} ${note}`;
  return [{ source, about, text: title, after: after.filter((each) => each !== "").join(", ") }];
}

function linesOfNote(thing: unknown): WorkLine[] {
  const { title, text: whole } = named.parse(thing);
  const { lines } = lined.parse(thing);
  const texts = whole === "" ? lines : whole.split("\n");
  return texts
    .map((each) => each.trim())
    .filter((each) => each !== "")
    .map((each) => ({ source: `your note ${title}`, about: title, text: each, after: "" }));
}

/** Sentences of how a message begins; a greeting alone says nothing. */
function sentences(whole: string): string[] {
  const all = (whole.match(/(?<![^.!?\n])[^.!?\n]+(?:[.!?]+|$)/gu) ?? [])
    .map((each) => each.trim())
    .filter((each) => each !== "");
  const long = all.filter((each) => each.split(/\s+/u).length >= leastWords);
  return long.length > 0 ? long : all;
}

function parsed(line: string): unknown[] {
  try {
    return [JSON.parse(line)];
  } catch {
    // A line about what was cut, or an error's words.
    return [];
  }
}
