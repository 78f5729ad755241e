import { createHash } from "node:crypto";
import type { IndexedFile } from "../../../events/frames/folders.ts";
import {
  type FrameId,
  frameId,
  type IndexId,
  indexId,
  projectId,
  type SessionId,
  sessionId,
} from "../../../events/ids.ts";

export const sessionOne: SessionId = sessionId.parse("ses_01KE5Q8600ESE4NYY1EVXDNQES");
export const index: IndexId = indexId.parse("idx_01KE5Q8600ESE4NYY1EVXDNQEX");
export const project = projectId.parse("prj_01KE5Q8600ESE4NYY1EVXDNQEP");
export const frame = (letter: string): FrameId =>
  frameId.parse(`frm_01KE5Q8600ESE4NYY1EVXDNQ${letter.padStart(2, "0")}`);

/** A file on its way, with its content in the frame. */
export function textFile(relPath: string, text = `Content of ${relPath}`): IndexedFile {
  const contentHash = createHash("sha256").update(text).digest("hex");
  return { relPath, kind: "text", content: { inline: text }, contentHash, sizeBytes: text.length, mtimeMs: 0 };
}
