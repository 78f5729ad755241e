import { escapedJson } from "../../../shared/privacy/delimiters.ts";
import { Redactor } from "../../../shared/privacy/redaction/redact.ts";

const redactor = new Redactor();
/** Of a text that is longer than a line of a list may be. */
const mostCharacters = 600;

type Value = string | number | boolean | null | undefined | readonly string[];

/**
 * One thing as one line of JSON for a model: credentials taken out, no character that ends a line or hides, what is empty
 * left out. Whoever wrote a subject or a note cannot begin a line of their own with it.
 */
export function workLine(fields: Readonly<Record<string, Value>>): string {
  const known = Object.entries(fields).flatMap(([name, value]) => {
    const shown = typeof value === "string" ? clean(value) : isList(value) ? value.map(clean) : value;
    const isEmpty = shown === null || shown === undefined || shown === "" || (isList(shown) && shown.length === 0);
    return isEmpty ? [] : [[name, shown]];
  });
  return escapedJson(Object.fromEntries(known));
}

/** A text as it may be shown whole: without credentials. */
export const clean = (text: string): string => redactor.redact(text.toWellFormed()).text;

/** The beginning of a text, with a mark where it goes on. */
export function beginning(text: string, most = mostCharacters): string {
  const shown = clean(text);
  return shown.length <= most ? shown : `${shown.slice(0, most).toWellFormed()}…`;
}

const isList = (value: unknown): value is readonly string[] => Array.isArray(value);
