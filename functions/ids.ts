import { monotonicFactory } from "ulidx";

/** ULIDs that sort in the order this environment made them, also within a millisecond. */
export const newId = monotonicFactory();
