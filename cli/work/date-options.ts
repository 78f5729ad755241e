import { dueOf, readDate } from "../../device/work/dates/read-date.ts";
import { localTimeAt } from "../../device/work/dates/zone.ts";
import { type CliContext, zoneOf } from "../context.ts";

/** `--due` as a task keeps it; `none` takes it away. Absent stays absent. @throws DeviceError `date_invalid` */
export async function dueOption(context: CliContext, text: string | undefined): Promise<string | null | undefined> {
  if (text === undefined) return undefined;
  if (text.trim().toLowerCase() === "none") return null;
  const zone = zoneOf(context);
  return dueOf(await readDate(text, { nowMs: context.now(), zone }), zone);
}

/** A due day or moment, in the person's zone. */
export function dueText(context: CliContext, due: string | null): string {
  if (due === null) return "";
  if (!due.endsWith("Z")) return due;
  return localTimeAt(Date.parse(due), zoneOf(context)).slice(0, 16).replace("T", " ");
}
