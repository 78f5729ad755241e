import * as z from "zod";

/** What is searched for, as a person types it. In a body and not in an address, which is kept in places that content is not. */
export const searchRequest = z.strictObject({ words: z.string().max(1_000) });
