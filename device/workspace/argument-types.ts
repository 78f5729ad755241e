import * as z from "zod";

/** A placeholder in a tool's `argv`: the value of the argument of that name. */
export const placeholder = /\{([a-z][a-z0-9_]{0,30})\}/g;

const bound = z.number().min(Number.MIN_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER);
const described = { description: z.string().max(300).optional() };

/**
 * What one argument may be: one of some values, a number within bounds, a file of the project, or a short text. Without a
 * default it has to be given.
 */
export const toolArgument = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("enum"),
    values: z.array(z.string().max(1_000)).min(1).max(100),
    default: z.string().optional(),
    ...described,
  }),
  z.strictObject({
    type: z.enum(["integer", "number"]),
    min: bound.optional(),
    max: bound.optional(),
    default: z.number().optional(),
    ...described,
  }),
  z.strictObject({ type: z.literal("path"), default: z.string().max(4_096).optional(), ...described }),
  z.strictObject({
    type: z.literal("text"),
    maxLength: z.int().min(1).max(4_096).default(200),
    default: z.string().max(4_096).optional(),
    ...described,
  }),
]);
export type ToolArgument = z.output<typeof toolArgument>;
