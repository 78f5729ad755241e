import { type IndexedFile, indexedFile, maxBatchFiles } from "../../../events/frames/folders.ts";
import { socketLimits } from "../../../events/frames/limits.ts";
import type { IndexId } from "../../../events/ids.ts";
import type { Payload } from "../../../events/payload.ts";
import type { FileToSend } from "./file-to-send.ts";

/** What a frame takes around its files: type, ids, brackets. */
const envelopeBytes = 256;
/** What takes the place of a text that is uploaded: a key of 99 characters and a size. */
const uploadRefBytes = 192;
/** Names and facts of a batch's files may take so much; the rest of a frame is for their texts. */
const factsBytes = socketLimits.frameBytes / 2;

/** Everything of a file's entry in a frame but its content. */
const factsOf = ({ relPath, kind, contentHash, sizeBytes, mtimeMs }: FileToSend) => ({
  relPath,
  kind,
  contentHash,
  sizeBytes,
  // Disks know times before 1970, the protocol does not.
  mtimeMs: Math.max(0, Math.trunc(mtimeMs)),
});

const bytesOf = (file: FileToSend) => Buffer.byteLength(JSON.stringify(factsOf(file))) + uploadRefBytes;
const total = (files: readonly FileToSend[]) => files.reduce((sum, file) => sum + bytesOf(file), 0);

/** Whether a batch takes one more file. */
export function hasRoom(batch: readonly FileToSend[], file: FileToSend): boolean {
  return batch.length === 0 || (batch.length < maxBatchFiles && total(batch) + bytesOf(file) <= factsBytes);
}

/** What a frame with these files leaves for their texts, in bytes of JSON. */
export function roomForTexts(batch: readonly FileToSend[]): number {
  return Math.max(0, socketLimits.frameBytes - envelopeBytes - total(batch));
}

/** Whether the protocol can name it: paths have a longest length there. */
export function canBeSent(file: FileToSend): boolean {
  return indexedFile.safeParse({ ...factsOf(file), content: { inline: "" } }).success;
}

/** A file as a frame has it: times before 1970 become 0. @param content its text, or where that was uploaded to */
export function asIndexedFile(file: FileToSend, content: Payload): IndexedFile {
  return { ...factsOf(file), content };
}

/** A frame with some files of an indexing session. Whoever fills it asks {@link hasRoom} and {@link roomForTexts} first. */
export function batchFrame(sessionId: IndexId, files: IndexedFile[]) {
  return { type: "index_file_batch" as const, sessionId, files };
}
