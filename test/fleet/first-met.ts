import type { Day } from "./day.ts";
import type { Values } from "./figures.ts";
import { runFleet } from "./fleet.ts";
import { type LimitName, limitsOf } from "./limits.ts";

export interface Met {
  readonly limit: LimitName;
  /** So many people come to the limit at the worst moment of a day; what is queued then waits, what is not is refused. */
  readonly people: number;
  readonly atSecond: number;
  /** So many come to it by the mean of the worst hour: from then on what waits is not worked off soon. */
  readonly peopleByHour: number;
  /** As `people`, with the limit as it can be raised. */
  readonly peopleRaised: number;
}

const asked = 1_000_000;

/** In which order an only cell would meet its limits: a day of a million people without any, beside what there is. */
export function firstMet(values: Values, day: Day, seed: number): Met[] {
  const limits = limitsOf(values);
  const [report] = runFleet({ people: asked, cells: 1, seed, values, day, grant: "unlimited" });
  if (!report) return [];
  const met = (Object.keys(limits) as LimitName[]).map((limit): Met => {
    const { value, atSecond } = report.peaks[limit];
    const of = (most: number, used: number) => Math.floor((asked * most) / used);
    return {
      limit,
      people: of(limits[limit].asBegun, value),
      atSecond,
      peopleByHour: of(limits[limit].asBegun, report.peakHours[limit].value),
      peopleRaised: of(limits[limit].raised, value),
    };
  });
  return met.sort((a, b) => a.people - b.people);
}
