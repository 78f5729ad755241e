import * as z from "zod";
import type { ErrorCode } from "../../../events/error-kinds.ts";
import { fileTag } from "../../../events/frames/folders.ts";
import type { ServerFrame } from "../../../events/frames/frames.ts";
import type { FileName, IndexId } from "../../../events/ids.ts";
import type { Result } from "../../billing/reservation.ts";
import type { SessionSealer } from "../../privacy/session-sealer.ts";
import type { Transient } from "../../privacy/transient.ts";
import type { FileRow, IndexEnd } from "../index/index-row.ts";
import type { IndexTotals } from "../index/index-store.ts";

/** What a model says of a file. */
export const fileSummary = z.object({ summary: z.string(), tag: fileTag });
export type FileSummary = z.infer<typeof fileSummary>;

function resultContext(index: IndexId, file: FileName): readonly string[] {
  return ["result", index, file];
}

/** The summary of a file as its row keeps it: encrypted, and bound to its index and file, so that no other row can hold it. */
export function sealResult(
  sealer: SessionSealer,
  index: IndexId,
  file: FileName,
  summary: Transient<FileSummary>,
): string {
  return sealer.sealText(
    summary.map((value) => JSON.stringify(value)),
    resultContext(index, file),
  );
}

/** A file's result as its row has it. @throws sealed_unreadable */
export function storedResult(
  sealer: SessionSealer,
  index: IndexId,
  file: FileName,
  path: Transient<string>,
  row: FileRow,
): ServerFrame {
  const { code, tokens, prompt, sealed } = row;
  if (sealed === undefined) return refusedResult(index, path, code ?? "internal", tokens);
  const opened = sealer.openText(sealed, resultContext(index, file));
  const { summary, tag } = fileSummary.parse(JSON.parse(opened.reveal()));
  const found = { summary, tag, tokensUsed: tokens, prompt: prompt ?? null };
  return { type: "index_file_result", sessionId: index, relPath: path.reveal(), ...found };
}

/** A file that has no summary, and why. */
export function refusedResult(index: IndexId, path: Transient<string>, error: ErrorCode, tokensUsed = 0): ServerFrame {
  const nothing = { summary: null, tag: null, prompt: null };
  return { type: "index_file_result", sessionId: index, relPath: path.reveal(), ...nothing, tokensUsed, error };
}

/** How an index has ended, for the device. `processed` counts files; a code is there for `quota_exceeded` alone. */
export function doneFrame(index: IndexId, status: IndexEnd, { processed, tokens }: IndexTotals): ServerFrame {
  const code = status === "quota_exceeded" ? { code: "quota_exceeded" as const } : {};
  return { type: "index_session_done", sessionId: index, status, processed, tokensUsed: tokens, ...code };
}

/** The name of a file's summary in its owner's usage row, the same however often the file is sent. */
export function summaryOp(index: IndexId, file: FileName): string {
  return `${index}.${file}`;
}

/** What a file's row says of the tokens it took. */
export function tokensOf({ tokens: total, reservation }: FileRow): Result {
  return reservation === undefined ? { total } : { total, reservation };
}
