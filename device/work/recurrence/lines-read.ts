import type { Component } from "../interchange/component-values.ts";

/** An event keeps lines of 2,000 characters. */
const mostCharacters = 1_800;

/**
 * RRULE, RDATE and EXDATE of an event as lines. Programs write hundreds of dates in one, which are taken as several lines, or each in a
 * line of its own, which are taken together where there would be too many.
 */
export function recurrenceLines(component: Component, most = Number.POSITIVE_INFINITY): string[] {
  const linesOf = (name: string) => component.getAllProperties(name).map((property) => property.toICALString());
  const [rules, dates] = [linesOf("rrule"), ["rdate", "exdate"].flatMap(linesOf)];
  const isTooMany = rules.length + dates.length > most;
  return [
    ...rules,
    ...(isTooMany ? together(dates) : dates.flatMap((line) => inShortLines(headOf(line), valuesOf(line)))),
  ];
}

/** `EXDATE;TZID="(UTC+01:00) Berlin":` of a line. */
const headOf = (line: string): string => /^(?:[^":]|"[^"]*")*:/.exec(line)?.[0] ?? "";
const valuesOf = (line: string): string[] => line.slice(headOf(line).length).split(",");

const together = (lines: readonly string[]): string[] =>
  [...Map.groupBy(lines, headOf)].flatMap(([head, same]) => inShortLines(head, same.flatMap(valuesOf)));

function inShortLines(head: string, values: readonly string[]): string[] {
  const lines: string[] = [];
  let line = "";
  for (const value of values) {
    if (line !== "" && head.length + line.length + value.length > mostCharacters) {
      lines.push(head + line);
      line = "";
    }
    line += `${line === "" ? "" : ","}${value}`;
  }
  return [...lines, head + line];
}
