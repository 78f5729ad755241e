import { isDay } from "../dates/due-day.ts";
import { momentOf } from "../dates/zone.ts";
import type { CalendarEvent } from "../entities.ts";
import { inZone } from "./times.ts";

/**
 * A time of a series as it is kept: as the moment it is, in UTC, so that it is the same whatever zone a revision is
 * written in. A day, and a time that is of no zone, stay as they are.
 */
export function timeOfSeries(local: string, zone: string | null): string {
  if (zone === null || isDay(local) || !local.includes("T")) return local;
  const ms = zone === "UTC" ? Date.parse(`${local}Z`) : momentOf(local, zone);
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** Which time of its series an event stands for; what was kept before as clocks show it in the event's zone is one as well. */
export const standsFor = ({ recurrenceId, zone }: Pick<CalendarEvent, "recurrenceId" | "zone">): string =>
  recurrenceId.endsWith("Z") ? recurrenceId : timeOfSeries(recurrenceId, zone);

/** What names an event among all: a series and each of its times that stands for itself have one UID (RFC 5545 §3.8.4.4). */
export const eventKey = (event: Pick<CalendarEvent, "uid" | "recurrenceId" | "zone">): string =>
  JSON.stringify([event.uid, standsFor(event)]);

/** A time of a series as clocks show it in a zone; as it is kept where that is none. */
export const shownTimeOfSeries = (time: string, zone: string | null): string =>
  time.endsWith("Z") && zone !== null ? inZone(time.slice(0, -1), "UTC", zone) : time;
