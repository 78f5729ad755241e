import type { FileToolInput } from "../../../../events/agent-tools/file-tools.ts";
import { AccessError } from "../../errors.ts";
import type { Summary } from "../../summaries/summaries.ts";
import type { ToolCall } from "../tool-call.ts";

export interface SummarizeFileResult extends Summary {
  readonly tokens: number;
}

/**
 * A summary of a file in `maxTokens` tokens at most. It is made of the text without credentials, and kept for this
 * content of the file.
 *
 * @throws AccessError `summary_unavailable` (no model could make one), `not_found`, `binary_file`, `budget_exceeded`;
 * also those of {@link ToolCall.find}
 */
export async function summarizeFile(
  call: ToolCall,
  input: FileToolInput<"summarize_file">,
): Promise<SummarizeFileResult> {
  const file = await call.open(input.path);
  let summary: Summary;
  try {
    summary = await call.kit.summaries.of(file.path, file.found.hash, file.shownLines.join(""), input.maxTokens);
  } catch (error) {
    throw new AccessError("summary_unavailable", { path: file.path }, error);
  }
  const tokens = await call.charge(summary.text);
  call.noteShown(file.path, file.found.hash, summary.text);
  return { ...summary, tokens };
}
