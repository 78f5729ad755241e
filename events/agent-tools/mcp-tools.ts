import * as z from "zod";
import type { ToolDefinition } from "../tools.ts";

const taskStates = ["open", "doing", "done"] as const;

/** What `scouts mcp` offers besides the tools of events/tools.ts. A name is part of the protocol: it may be added, never renamed. */
export const mcpTools = {
  session_status: {
    title: "State of this session",
    description:
      "What this session has open (and whether a file has changed since), which of its edits wait for a person, what it has changed, its tasks, what it may still use, and which tasks an earlier session of the same program left unfinished.",
    input: z.strictObject({}),
    access: "read",
    idempotent: true,
    examples: [{}],
  },
  set_tasks: {
    title: "Set the session's tasks",
    description:
      "Replaces the list of what this session is about to do, so that the person, and a later session, can see it. Changes no file.",
    input: z.strictObject({
      tasks: z
        .array(z.strictObject({ title: z.string().min(1).max(200), state: z.enum(taskStates).default("open") }))
        .max(50),
    }),
    access: "read",
    idempotent: true,
    examples: [{ tasks: [{ title: "Rename the port setting", state: "doing" }] }],
  },
} as const satisfies Record<string, ToolDefinition>;

export type McpToolName = keyof typeof mcpTools;
export type McpToolInput<T extends McpToolName> = z.output<(typeof mcpTools)[T]["input"]>;
export type SessionTask = McpToolInput<"set_tasks">["tasks"][number];
