import * as z from "zod";
import { errorCodes } from "./error-kinds.ts";

/**
 * A code in an answer or a frame, as its reader takes it. Codes are added in time: one that only a newer home knows says that
 * something failed, and costs nothing else of what is told with it.
 */
export const toldCode = z.enum(errorCodes).catch("internal");
/** The same where there may be none to tell. */
export const toldCodeOrNull = z.enum(errorCodes).nullable().catch("internal");
