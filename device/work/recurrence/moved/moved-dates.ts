import { isDay } from "../../dates/due-day.ts";
import { dayNumber, dayOfNumber, lastDay } from "../days.ts";
import { nameOf, type SeriesEvent } from "../series.ts";
import { Steps } from "../steps.ts";
import { listedTimes } from "../times.ts";

/** A time with its end or how long it lasts (RFC 5545 §3.3.9), and no zone's name. */
const period = /[\dZ]\/[\dP]/i;

/**
 * A line of dates that are left out of a series, or added to it, of one that is moved to another day: each as many days later. As it is
 * where one of them is not understood, or says how long it lasts.
 *
 * @param line `EXDATE;TZID=Europe/Berlin:20261224T193000`
 */
export function datesLater(line: string, { zone }: Pick<SeriesEvent, "zone">, days: number): string {
  if (days === 0 || period.test(line)) return line;
  const times = listedTimes([line], zone, new Steps());
  const known = times.filter((each) => each !== undefined);
  if (known.length === 0 || known.length < times.length) return line;
  if (known.some((each) => isDay(each) !== known.every(isDay))) return line;
  const later = known.map((each) => dayOfNumber(Math.min(dayNumber(each) + days, lastDay)) + each.slice(10));
  const values = later.map((each) => each.replace(/[-:]/g, ""));
  if (known.every(isDay)) return `${nameOf(line)};VALUE=DATE:${values.join(",")}`;
  if (zone === "UTC") return `${nameOf(line)}:${values.map((each) => `${each}Z`).join(",")}`;
  return `${nameOf(line)}${zone === null ? "" : `;TZID=${zone}`}:${values.join(",")}`;
}
