import * as z from "zod";

/**
 * The header of an item that has one, as its source gives it, for whoever wants to see where it comes from: its first
 * fields, long ones cut, and how many there were beyond. Read for one answer, kept nowhere.
 */
export const itemHeader = z.object({
  fields: z.array(z.object({ name: z.string(), value: z.string() })),
  leftOut: z.number().int().nonnegative(),
});
export type ItemHeader = z.infer<typeof itemHeader>;

/** What an item says for programs: calendar parts (RFC 5545) and JSON-LD (schema.org), as a stranger wrote them. */
export const itemMachineParts = z.object({ calendars: z.array(z.string()), linkedData: z.array(z.string()) });
export type ItemMachineParts = z.infer<typeof itemMachineParts>;
