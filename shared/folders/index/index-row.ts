import * as z from "zod";
import { errorCodes } from "../../../events/error-kinds.ts";
import { deviceId, frameId, projectId, sessionId } from "../../../events/ids.ts";
import type { Item } from "../../ports/table.ts";
import { storedRow } from "../../stored-row.ts";
import { isAhead } from "../../until.ts";

/** An index session and its results are kept for so long: longer than a scan takes, and than a reservation is open. */
export const indexLifeMs = 12 * 3_600_000;

/** How an index session stands. Only `open` changes. */
export const indexStatus = z.enum(["open", "completed", "cancelled", "quota_exceeded"]);
export type IndexStatus = z.infer<typeof indexStatus>;
export type IndexEnd = Exclude<IndexStatus, "open">;

const indexRow = z.object({
  deviceId,
  /** The session its content is sealed in: when that ends, so does this. */
  sessionId,
  projectId,
  /** The frame that started it. */
  startedBy: frameId,
  totalFiles: z.number(),
  /** The most files the person's tier allows; absent when there is no limit. */
  maxFiles: z.number().optional(),
  status: indexStatus,
  startedAt: z.number(),
  /** Results there were when they were last counted, and when that was. */
  processed: z.number().default(0),
  countedAt: z.number().default(0),
  expiresAt: z.number(),
});
export type IndexRow = z.infer<typeof indexRow>;

const fileRow = z.object({
  /** Summary and tag, sealed under the session's key; absent when there is none. */
  sealed: z.string().optional(),
  /** Why there is none. */
  code: z.enum(errorCodes).optional(),
  /** Input and output, of answers that were of no use as well. */
  tokens: z.number(),
  /** The reservation they were spent under. */
  reservation: z.string().optional(),
  /** Name and version of the prompt, and the model, as it calls itself. */
  prompt: z.string().optional(),
  model: z.string().optional(),
  finishedAt: z.number(),
  expiresAt: z.number(),
});
/** A file's end within its index session: written once, whoever is first. */
export type FileRow = z.infer<typeof fileRow>;

/** Rows past their time are as good as deleted. @throws row_damaged */
export function parseIndexRow(item: Item | undefined, nowMs: number): IndexRow | undefined {
  const row = item && storedRow(item, (stored) => indexRow.parse(stored));
  return row && isAhead(row.expiresAt, nowMs, indexLifeMs) ? row : undefined;
}

/** A file of an index from its row. @throws row_damaged */
export function parseFileRow(item: Item): FileRow {
  return storedRow(item, (stored) => fileRow.parse(stored));
}
