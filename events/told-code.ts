import * as z from "zod";
import { errorCodes } from "./error-kinds.ts";

/**
 * A code in an answer or a frame, as its reader takes it. Codes are added in time: one that only a newer home knows says that
 * something failed, and costs nothing else of what is told with it.
 */
export const toldCode = z.enum(errorCodes).catch("internal");
/** The same where there may be none to tell. */
export const toldCodeOrNull = z.enum(errorCodes).nullable().catch("internal");

const knownCodes: ReadonlySet<string> = new Set(errorCodes);
const count = z.number().int().nonnegative();

/** Counts by code; those of codes that are not known are counted together. What is no count says nothing. */
export const toldCounts = z
  .record(z.string(), count.catch(0))
  .catch({})
  .overwrite((told) => {
    const known: Record<string, number> = {};
    for (const [code, counted] of Object.entries(told)) {
      const under = knownCodes.has(code) ? code : "internal";
      if (counted > 0) known[under] = (known[under] ?? 0) + counted;
    }
    return known;
  })
  .pipe(z.partialRecord(z.enum(errorCodes), count));
