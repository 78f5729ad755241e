import type { FileToolInput, FileToolName } from "../../../events/agent-tools/file-tools.ts";
import type { PatchResult } from "../../../events/agent-tools/patch-result.ts";
import { applyPatch } from "./editing/apply-patch.ts";
import { type FileHistoryResult, fileHistory } from "./editing/file-history.ts";
import { type GetDiffResult, getDiff } from "./editing/get-diff.ts";
import { type RecordChangesResult, recordChanges } from "./editing/record-changes.ts";
import { rollback } from "./editing/rollback.ts";
import { writeFile } from "./editing/write-file.ts";
import { getExcerpt } from "./reading/get-excerpt.ts";
import { type GrepFilesResult, grepFiles } from "./reading/grep-files.ts";
import { type ListFilesResult, listFiles } from "./reading/list-files.ts";
import { readFile } from "./reading/read-file.ts";
import { readLines } from "./reading/read-lines.ts";
import { type SearchContentResult, searchContent } from "./reading/search-content.ts";
import type { ReadFileResult, ShownText } from "./reading/shown-text.ts";
import { type SummarizeFileResult, summarizeFile } from "./reading/summarize-file.ts";
import type { ToolCall } from "./tool-call.ts";

/** What each tool gives. */
export interface ToolResults extends Record<FileToolName, object> {
  list_files: ListFilesResult;
  read_file: ReadFileResult;
  read_lines: ShownText;
  get_excerpt: ShownText;
  grep_files: GrepFilesResult;
  search_content: SearchContentResult;
  write_file: PatchResult;
  apply_patch: PatchResult;
  get_diff: GetDiffResult;
  file_history: FileHistoryResult;
  summarize_file: SummarizeFileResult;
  rollback: PatchResult;
  record_changes: RecordChangesResult;
}

type Tools = { readonly [T in FileToolName]: (call: ToolCall, input: FileToolInput<T>) => Promise<ToolResults[T]> };

/** The code behind each tool. Inputs have been parsed. */
export const tools: Tools = {
  list_files: listFiles,
  read_file: readFile,
  read_lines: readLines,
  get_excerpt: getExcerpt,
  grep_files: grepFiles,
  search_content: searchContent,
  write_file: writeFile,
  apply_patch: applyPatch,
  get_diff: getDiff,
  file_history: fileHistory,
  summarize_file: summarizeFile,
  rollback,
  record_changes: recordChanges,
};
