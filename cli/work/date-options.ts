import { isDay } from "../../device/work/dates/due-day.ts";
import { localTimeAt } from "../../device/work/dates/zone.ts";

/** A due day or moment, as clocks show it in the person's zone. */
export function dueText(due: string | null, zone: string): string {
  if (due === null) return "";
  if (isDay(due)) return due;
  return localTimeAt(Date.parse(due), zone).slice(0, 16).replace("T", " ");
}
