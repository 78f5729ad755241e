/** Milliseconds since the epoch. */
export type Clock = () => number;
/** Uniform in [0, 1). */
export type Random = () => number;

export const systemClock: Clock = () => Date.now();
