import { localTimeAt } from "../../device/work/dates/zone.ts";
import { type CliContext, zoneOf } from "../context.ts";

/** A due day or moment, in the person's zone. */
export function dueText(context: CliContext, due: string | null): string {
  if (due === null) return "";
  if (!due.endsWith("Z")) return due;
  return localTimeAt(Date.parse(due), zoneOf(context)).slice(0, 16).replace("T", " ");
}
