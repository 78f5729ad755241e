import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import type { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import { unquoteMbox } from "../formats/mbox.ts";

const sliceRow = z.object({
  path: z.string(),
  layout: z.enum(["mbox", "message"]),
  offset: z.number(),
  length: z.number(),
  hash: z.string(),
});
const rawRow = z.object({ raw: z.instanceof(Uint8Array) });

/**
 * A message's bytes, read from where they lie: the mailbox is not copied. `missing` when its file is gone, `changed`
 * when other bytes stand there now or its place is being looked for (a rescan settles it).
 */
export type Content = { readonly raw: Buffer } | "missing" | "changed";

export type ReadContent = (messageId: string) => Promise<Content>;

/** Reads raw messages out of the mailbox's files, or out of the state for those that were handed in. */
export function contentReader(database: DatabaseSync): ReadContent {
  const selectSlice = database.prepare(
    "SELECT path, layout, offset, length, hash FROM slices WHERE message_id = ? LIMIT 1",
  );
  const selectRaw = database.prepare("SELECT raw FROM delivered WHERE message_id = ?");
  return async (messageId) => {
    const delivered = selectRaw.get(messageId);
    if (delivered !== undefined) return { raw: Buffer.from(rawRow.parse(delivered).raw) };
    const row = selectSlice.get(messageId);
    if (row === undefined) return "changed";
    const slice = sliceRow.parse(row);
    const bytes = await readSlice(slice.path, slice.offset, slice.length);
    if (bytes === undefined) return "missing";
    if (createHash("sha256").update(bytes).digest("hex") !== slice.hash) return "changed";
    return { raw: slice.layout === "mbox" ? unquoteMbox(bytes) : bytes };
  };
}

/** Bytes of a file from an offset; fewer when it is shorter, undefined when it is not there. */
export async function readSlice(path: string, offset: number, length: number): Promise<Buffer | undefined> {
  const file = await open(path, "r").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw error;
  });
  if (file === undefined) return undefined;
  try {
    const bytes = Buffer.alloc(length);
    const { bytesRead } = await file.read(bytes, 0, length, offset);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
