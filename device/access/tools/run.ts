import { type FileToolInput, type FileToolName, fileTools } from "../../../events/agent-tools/file-tools.ts";
import { argumentWords } from "../../errors/argument-words.ts";
import { AccessError } from "../errors.ts";
import { claims } from "./claims.ts";
import type { ToolCall } from "./tool-call.ts";
import { type ToolResults, tools } from "./tools.ts";

export const isToolName = (name: string): name is FileToolName => Object.hasOwn(fileTools, name);

/**
 * Does what a call asks for, when its arguments are right and what it claims is allowed.
 *
 * @throws AccessError `invalid_arguments`, and those of the tool
 */
export async function run<T extends FileToolName>(call: ToolCall, tool: T, args: unknown): Promise<ToolResults[T]> {
  const parsed = fileTools[tool].input.safeParse(args ?? {});
  if (!parsed.success) {
    throw new AccessError("invalid_arguments", { detail: argumentWords(parsed.error) });
  }
  // The parse above is what makes this true; TypeScript cannot see that schema and tool belong together.
  const input = parsed.data as FileToolInput<T>;
  await call.enter(claims[tool](input));
  return tools[tool](call, input);
}
