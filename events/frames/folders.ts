import * as z from "zod";
import { frameId, indexId, projectId } from "../ids.ts";
import { payload } from "../payload.ts";
import { toldCode } from "../told-code.ts";

const id = frameId;
const count = z.number().int().nonnegative();

/** Files a batch frame may carry. */
export const maxBatchFiles = 5;
export const maxSummaryCharacters = 500;

/** A path below the linked folder, with `/`: content, so it exists in frames and sealed messages only. */
export const relPath = z.string().min(1).max(4_095);

/** How a file's content was made readable on the device. */
export const indexedKinds = ["text", "pdf", "docx", "image"] as const;
export const indexedKind = z.enum(indexedKinds);
export type IndexedKind = z.infer<typeof indexedKind>;

/** What a device's manifest says of a file: `skipped`, nothing can be said of it; `error`, its summary failed. */
export const manifestKinds = [...indexedKinds, "skipped", "error"] as const;
export type ManifestKind = (typeof manifestKinds)[number];

/** What a file is to its project. */
export const fileTag = z.enum(["doc", "config", "code", "test", "data", "image"]);
export type FileTag = z.infer<typeof fileTag>;

/**
 * A file on its way to a summary. `content` is text; of an image it is a `data:` URL (RFC 2397). `contentHash` (SHA-256,
 * hex) makes a changed file another piece of work than the one before it.
 */
export const indexedFile = z.object({
  relPath,
  kind: indexedKind,
  content: payload,
  contentHash: z.string().regex(/^[0-9a-f]{64}$/),
  sizeBytes: count,
  mtimeMs: count,
});
export type IndexedFile = z.infer<typeof indexedFile>;

const start = z.object({
  type: z.literal("index_session_start"),
  id,
  sessionId: indexId,
  projectId,
  totalFiles: z.number().int().min(1),
});
const batch = z.object({
  type: z.literal("index_file_batch"),
  id,
  sessionId: indexId,
  files: z.array(indexedFile).min(1).max(maxBatchFiles),
});
const cancel = z.object({ type: z.literal("index_session_cancel"), id, sessionId: indexId });
const finish = z.object({ type: z.literal("index_session_finish"), id, sessionId: indexId });

/** What a device says while it has a folder summarised. */
export const folderClientFrames = [start, batch, cancel, finish] as const;

const fileResult = z.object({
  type: z.literal("index_file_result"),
  sessionId: indexId,
  relPath,
  summary: z.string().max(maxSummaryCharacters).nullable(),
  tag: fileTag.nullable(),
  tokensUsed: count,
  /** Name and version of the prompt that made the summary. */
  prompt: z.string().max(100).nullable(),
  /** Why there is no summary. */
  error: toldCode.optional(),
});
/** For display; the device's own count of results decides. */
const progress = z.object({
  type: z.literal("index_session_progress"),
  sessionId: indexId,
  processed: count,
  total: count,
});
const done = z.object({
  type: z.literal("index_session_done"),
  sessionId: indexId,
  status: z.enum(["completed", "cancelled", "quota_exceeded", "error"]),
  processed: count,
  tokensUsed: count,
  /** Present with `quota_exceeded` and `error`. */
  code: toldCode.optional(),
});

/** What the cloud answers. */
export const folderServerFrames = [fileResult, progress, done] as const;
