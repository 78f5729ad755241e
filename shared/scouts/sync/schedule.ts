import { Cron } from "croner";
import { ScoutsError } from "../../../events/errors.ts";

/** How often a scout is looked at when nothing else prompts it and its owner has not said otherwise. */
export const defaultIntervalMs = 15 * 60_000;

/** Five fields, so that nothing is more often than once a minute; in UTC. */
const options = { mode: "5-part", timezone: "UTC", paused: true } as const;

/** @throws invalid_request when the text is no cron expression, or one that never comes */
export function checkSchedule(schedule: string, nowMs: number): string {
  const invalid = new ScoutsError("invalid_request", { data: { where: "schedule" } });
  // The parser takes a date for the one time that it comes: after it, the scout would have no schedule.
  if (schedule.includes(":")) throw invalid;
  try {
    if (new Cron(schedule, options).nextRun(new Date(nowMs)) !== null) return schedule;
  } catch {
    // The parser's message quotes the text.
  }
  throw invalid;
}

/** When a scout is to be looked at next, after `nowMs`. */
export function nextPollAt(schedule: string | undefined, nowMs: number): number {
  if (schedule === undefined) return nowMs + defaultIntervalMs;
  return new Cron(schedule, options).nextRun(new Date(nowMs))?.getTime() ?? nowMs + defaultIntervalMs;
}

/** From the next look at a scout to the one after, in milliseconds. */
export function pollIntervalMs(schedule: string | undefined, nowMs: number): number {
  const next = nextPollAt(schedule, nowMs);
  return nextPollAt(schedule, next) - next;
}
