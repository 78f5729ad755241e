import { localTimeAt } from "../../device/work/dates/zone.ts";

const minute = "2026-11-27T17:00".length;

/**
 * A time as clocks show it where the person is: `2026-11-27 17:00`.
 *
 * @param ms milliseconds since the epoch
 * @param zone the IANA name of the person's time zone
 */
export const shownTime = (ms: number, zone: string): string => localTimeAt(ms, zone).slice(0, minute).replace("T", " ");

/** Its day alone: `2026-11-27`. */
export const shownDay = (ms: number, zone: string): string => localTimeAt(ms, zone).slice(0, "2026-11-27".length);
