import * as z from "zod";

/**
 * A subprocess tool as the person configures it on this device. Never read from the project: what lies in a project may
 * have been written by anyone, and a tool runs with the person's rights.
 */
export const toolDefinition = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9_-]{0,63}$/, "a lower-case name such as run-tests"),
  /** Program and fixed arguments; never a shell line. `{args}` alone stands for the arguments of the call. */
  command: z.array(z.string()).min(1),
  description: z.string().default(""),
  /** Directory in the project, relative to its root. */
  workingDirectory: z.string().default(""),
  /** Added to the few variables a tool inherits. */
  environment: z.record(z.string(), z.string()).default({}),
  timeoutMs: z.number().int().positive().max(3_600_000).default(120_000),
  maxOutputBytes: z
    .number()
    .int()
    .positive()
    .max(256 * 1024 * 1024)
    .default(4 * 1024 * 1024),
  /** Only these files are copied for backends that are not on this disk. */
  globs: z.array(z.string()).optional(),
});

export type ToolDefinition = z.infer<typeof toolDefinition>;
