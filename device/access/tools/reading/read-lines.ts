import type { FileToolInput } from "../../../../events/tools.ts";
import { AccessError } from "../../errors.ts";
import type { ToolCall } from "../tool-call.ts";
import { type ShownText, showLines } from "./shown-text.ts";

export async function readLines(call: ToolCall, input: FileToolInput<"read_lines">): Promise<ShownText> {
  const file = await call.open(input.path);
  const { startLine, endLine } = input;
  if (endLine < startLine) throw new AccessError("invalid_arguments", { detail: "endLine is before startLine." });
  if (startLine > Math.max(1, file.shownLines.length)) {
    throw new AccessError("invalid_arguments", {
      path: file.path,
      detail: `The file has ${file.shownLines.length} lines.`,
    });
  }
  return showLines(call, file, startLine - 1, endLine);
}
