import type * as z from "zod";

/** One tool: what it takes, what it may do, and how it is called. JSON schema, MCP tool, command line and docs are made of it. */
export interface ToolDefinition {
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  /** `read` changes nothing; `write` changes files of the project, undoably. */
  readonly access: "read" | "write";
  /** Calling it again with the same arguments changes nothing more. */
  readonly idempotent: boolean;
  readonly examples: readonly Readonly<Record<string, unknown>>[];
}
