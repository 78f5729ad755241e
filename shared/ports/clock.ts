/** Milliseconds since the epoch. */
export type Clock = () => number;
/** Uniform in [0, 1). */
export type Random = () => number;

/** A new id each time: a ULID, 26 characters that sort by the time they were made. */
export type NewId = () => string;

export const systemClock: Clock = () => Date.now();
