import type { FileToolInput } from "../../../../events/agent-tools/file-tools.ts";
import type { ToolCall } from "../tool-call.ts";
import { showLargeLines } from "./large-file.ts";
import { refuseLines, type ShownText, showLines } from "./shown-text.ts";

/** A range of lines of a file of any size. */
export async function readLines(call: ToolCall, input: FileToolInput<"read_lines">): Promise<ShownText> {
  const large = await call.openLarge(input.path);
  if (large !== undefined) return showLargeLines(call, large, input);
  const file = await call.open(input.path);
  refuseLines(file.path, input, file.shownLines.length);
  return showLines(call, file, input.startLine - 1, input.endLine);
}
