import * as z from "zod";
import { projectId } from "../../events/ids.ts";
import { placeholder, toolArgument } from "./argument-types.ts";

export const toolName = z.string().regex(/^[a-z][a-z0-9_-]{0,63}$/, "a lower-case name such as run-tests");
const variableName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,100}$/, "a name such as NODE_ENV");
const globs = z.array(z.string().min(1).max(1_000)).max(1_000).default([]);
const text = z
  .string()
  .max(4_096)
  .refine((value) => !value.includes("\0"), "no NUL");
const mebibyte = 1024 ** 2;

/**
 * A program the person lets be run, as the person's own configuration has it. Never read from a project: what lies in one
 * may have been written by anyone, and a program runs with the person's rights.
 */
export const toolDefinition = z
  .strictObject({
    name: toolName,
    description: z.string().max(300).default(""),
    /** Program and arguments, never a shell's line; `{name}` stands for the argument of that name. */
    argv: z.array(text).min(1).max(100),
    /** What may be said when it is called, by name. */
    arguments: z.record(z.string(), toolArgument).default({}),
    /** Only for this project; for any, and for none, when left out. */
    project: projectId.optional(),
    timeoutMs: z.int().positive().max(3_600_000).default(120_000),
    /** Which files are copied for it, in gitignore syntax; all when empty. */
    reads: globs,
    /** Which of its changes may be brought back, in gitignore syntax; none when empty. */
    writes: globs,
    /** Works on the project itself and not on a copy: asked about every time, and nothing is shown or taken back. */
    inPlace: z.boolean().default(false),
    /** Directory in the project, relative to its root. */
    workingDirectory: text.default(""),
    /** Set for it, beside the few variables every tool gets. */
    environment: z.record(variableName, text).default({}),
    /** Variables of the person's own environment that are passed on. */
    passes: z.array(variableName).max(100).default([]),
    maxOutputBytes: z
      .int()
      .positive()
      .max(256 * mebibyte)
      .default(4 * mebibyte),
    /** What its copy and its temporary folder may grow to on the disk. */
    maxWrittenBytes: z
      .int()
      .positive()
      .max(1024 ** 4)
      .default(1024 * mebibyte),
  })
  .superRefine((tool, context) => {
    const issue = (message: string, ...path: string[]) => context.addIssue({ code: "custom", message, path });
    const used = new Set(tool.argv.flatMap((part) => [...part.matchAll(placeholder)].map(([, name = ""]) => name)));
    if (tool.argv[0] === "") issue("a program is needed", "argv");
    if (tool.argv[0]?.match(placeholder)) issue("the program itself is no argument", "argv");
    for (const name of used) {
      if (!Object.hasOwn(tool.arguments, name)) issue(`{${name}} is no argument of the tool`, "argv");
    }
    for (const name of Object.keys(tool.arguments))
      if (!used.has(name)) issue("argv does not use it", "arguments", name);
    if (tool.inPlace && tool.reads.length + tool.writes.length > 0) {
      issue("a tool in place sees and changes everything: it has no reads or writes", "inPlace");
    }
  });
export type ToolDefinition = z.output<typeof toolDefinition>;
