import type { Tool } from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod";
import { fileToolNames, fileTools } from "../../../events/agent-tools/file-tools.ts";
import { patchResult } from "../../../events/agent-tools/patch-result.ts";
import type { ToolDefinition } from "../../../events/agent-tools/tool-definition.ts";
import type { FurtherTool } from "./further-tool.ts";

/** The tools as MCP describes them: names, schemas and annotations are those of `events/`. */
export function toolList(further: readonly FurtherTool[]): Tool[] {
  return [
    ...fileToolNames.map((name) => described(name, fileTools[name], fileTools[name].access === "write")),
    ...further.map(({ name, definition }) => described(name, definition, false)),
  ];
}

function described(
  name: string,
  { title, description, input, access, idempotent }: ToolDefinition,
  patches: boolean,
): Tool {
  const { properties, required } = jsonSchema(input);
  return {
    name,
    title,
    description,
    inputSchema: { type: "object", properties, required, additionalProperties: false },
    ...(patches && { outputSchema: { type: "object", ...jsonSchema(patchResult) } }),
    annotations: {
      title,
      readOnlyHint: access === "read",
      destructiveHint: access === "write",
      idempotentHint: idempotent,
      openWorldHint: false,
    },
  };
}

const objectSchema = z.object({
  properties: z.record(z.string(), z.record(z.string(), z.unknown())),
  required: z.array(z.string()).default([]),
});

function jsonSchema(schema: z.ZodObject) {
  return objectSchema.parse(z.toJSONSchema(schema, { io: "input" }));
}
