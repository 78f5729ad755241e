import * as z from "zod";
import { errorCodes } from "../error-kinds.ts";

/** The one shape of an error body. */
export const errorBody = z.object({
  error: z.object({
    code: z.enum(errorCodes),
    message: z.string(),
    data: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
    requestId: z.string(),
  }),
  /** With `source_account_other` of a consent: whose mailboxes, `expected` where that is known. For its owner alone. */
  accounts: z.object({ expected: z.string().nullable(), chosen: z.string() }).optional(),
  /** With `source_folder_unknown` of settings: which folders are not there. For their owner alone. */
  folders: z.array(z.string()).optional(),
});
