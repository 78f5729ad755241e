import { isDay } from "../../device/work/dates/due-day.ts";
import { localTimeAt } from "../../device/work/dates/zone.ts";
import type { EntityKind, EntityTypes } from "../../device/work/entities.ts";
import { shownTimes } from "../../device/work/events/shown-times.ts";

/** When a task is due or an event takes place, as a part of a line: words may have been read as another day than was meant. */
export function whenPart(entity: EntityTypes[EntityKind], zone: string): string {
  if ("due" in entity) return entity.due === null ? "" : `due ${dueText(entity.due, zone)}  `;
  return "start" in entity ? `${shownTimes(entity, zone)}  ` : "";
}

/** A due day or moment, as clocks show it in the person's zone. */
export function dueText(due: string | null, zone: string): string {
  if (due === null) return "";
  if (isDay(due)) return due;
  return localTimeAt(Date.parse(due), zone).slice(0, 16).replace("T", " ");
}
