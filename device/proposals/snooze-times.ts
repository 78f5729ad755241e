import { type Here, readDate, requireShown } from "../work/dates/read-date.ts";
import { dayAfter, localTimeAt, momentOf } from "../work/dates/zone.ts";

/** When a proposal that is snoozed until a day is there again. */
const morning = "08:00:00";
const evening = "18:00:00";
const night = "22:00:00";
const hourMs = 3_600_000;

/** Usual times to snooze until. */
export const snoozeNames = ["hours", "evening", "tomorrow", "weekend", "week"] as const;

export interface SnoozeTime {
  readonly name: (typeof snoozeNames)[number];
  /** Milliseconds since the epoch. */
  readonly atMs: number;
}

const sunday = 0;
const monday = 1;
const saturday = 6;

/**
 * In three hours, this evening where it is not near yet, tomorrow, on Saturday and on Monday: at what clocks show there then,
 * whatever is done to them in between. What would be the same moment as an earlier one is left out.
 */
export function snoozeTimes({ nowMs, zone }: Here): SnoozeTime[] {
  const today = localTimeAt(nowMs, zone).slice(0, 10);
  const weekday = new Date(`${today}T00:00:00Z`).getUTCDay();
  const next = (wanted: number) => dayAfter(today, ((wanted - weekday + 6) % 7) + 1);
  const at = (day: string, time: string) => momentOf(`${day}T${time}`, zone);
  const times: readonly SnoozeTime[] = [
    { name: "hours", atMs: nowMs + 3 * hourMs },
    { name: "evening", atMs: at(today, evening) },
    { name: "tomorrow", atMs: at(dayAfter(today, 1), morning) },
    ...(weekday === saturday || weekday === sunday
      ? []
      : [{ name: "weekend", atMs: at(next(saturday), morning) } as const]),
    { name: "week", atMs: at(next(monday), morning) },
  ];
  const isNear = ({ name, atMs }: SnoozeTime) => name === "evening" && atMs - nowMs < hourMs;
  return times.filter((each, index) => !isNear(each) && times.findIndex(({ atMs }) => atMs === each.atMs) === index);
}

/** In the languages that dates are read in. */
const ofEvening = /night|evening|(?<!sonn)abend|nacht|soir|nuit|noche|sera|notte/iu;

/**
 * A time to snooze until, as a person writes it: a day means eight in the morning, or six in the evening where that is said; of
 * today what is to come of these, or ten at night.
 *
 * @returns milliseconds since the epoch
 * @throws DeviceError `date_invalid`
 */
export async function snoozeMoment(text: string, here: Here): Promise<number> {
  const read = await readDate(text, here);
  requireShown(read, here.zone, text);
  const { day, time } = read;
  const at = (clock: string) => momentOf(`${day}T${clock}`, here.zone);
  if (time !== null) return at(time);
  const isToday = day === localTimeAt(here.nowMs, here.zone).slice(0, 10);
  const clocks = ofEvening.test(text) ? [evening, night] : [morning, evening, night];
  // Of today the first that is to come; where none is, it is said that the time is past.
  return at(clocks.find((clock) => !isToday || at(clock) > here.nowMs) ?? night);
}
