import * as z from "zod";
import { ScoutsError } from "../../../events/errors.ts";
import { type IndexedFile, indexedKind, relPath } from "../../../events/frames/folders.ts";
import type { FileName, IndexId } from "../../../events/ids.ts";
import { payload } from "../../../events/payload.ts";
import type { SummarizeMessage } from "../../../events/queues.ts";
import type { SessionSealer } from "../../privacy/session-sealer.ts";
import { Transient } from "../../privacy/transient.ts";

/** What of a file is sealed on the queue. */
const queuedFile = z.object({ relPath, kind: indexedKind, content: payload, sizeBytes: z.number() });
export type QueuedFile = z.infer<typeof queuedFile>;

/** What a message's content is sealed for. */
export function fileContext(index: IndexId, file: FileName): readonly string[] {
  return ["summarize", index, file];
}

/** The sealed part of a message. */
export function sealFile(sealer: SessionSealer, index: IndexId, name: FileName, file: IndexedFile): string {
  const { relPath: path, kind, content, sizeBytes } = file;
  const queued: QueuedFile = { relPath: path, kind, content, sizeBytes };
  return sealer.sealText(new Transient(JSON.stringify(queued)), fileContext(index, name));
}

/** The inverse of {@link sealFile}. @throws sealed_unreadable */
export function openFile(
  sealer: SessionSealer,
  { indexId, file, sealed }: Pick<SummarizeMessage, "indexId" | "file" | "sealed">,
): Transient<QueuedFile> {
  const opened = sealer.openText(sealed, fileContext(indexId, file));
  try {
    return opened.map((text) => queuedFile.parse(JSON.parse(text)));
  } catch {
    // What was wrong would quote the content.
    throw new ScoutsError("sealed_unreadable");
  }
}
