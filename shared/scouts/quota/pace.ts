/** A limit of so many units in any minute, as the speed and the size of a token bucket. */
export interface Pace {
  readonly msPerUnit: number;
  /** How much may be taken at once, as the time it takes to come back. */
  readonly burstMs: number;
  /** Kept back for what is small or urgent. */
  readonly reserveMs: number;
}

const minuteMs = 60_000;
const burstShare = 1 / 6;
const reserveShare = 1 / 30;

/**
 * In any sixty seconds a bucket gives out what it holds and what flows in. The source counts minutes of its own, so the
 * three shares together must not be more than its limit: 1/6 at once, 1/30 in reserve, the rest as flow.
 */
export function paceOf(unitsPerMinute: number): Pace {
  const flow = unitsPerMinute * (1 - burstShare - reserveShare);
  const msPerUnit = minuteMs / flow;
  return {
    msPerUnit,
    burstMs: unitsPerMinute * burstShare * msPerUnit,
    reserveMs: unitsPerMinute * reserveShare * msPerUnit,
  };
}
