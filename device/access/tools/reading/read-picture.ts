import type { ToolCall } from "../tool-call.ts";
import type { ReadFileResult } from "./shown-text.ts";

/** A picture as one; undefined for what is none, or is not there. Its bytes are counted as read. */
export async function readPicture(call: ToolCall, asked: string): Promise<ReadFileResult | undefined> {
  const path = await call.canonical(asked);
  if (call.kit.documents.kindOf(path) !== "image") return undefined;
  const found = await call.find(path);
  const picture = found === null ? undefined : await call.kit.documents.pictureOf(path, found);
  if (found === null || picture === undefined) return undefined;
  const { mimeType, base64, isSmaller } = picture;
  const bytes = Buffer.from(base64, "base64");
  await call.allow("bytesRead", bytes.length);
  call.session.noteRead(path, found);
  call.noteShown(path, found.hash, bytes);
  const notes = isSmaller ? [`Made smaller: the file has ${found.bytes.length} bytes.`] : [];
  return {
    ...{ path, hash: call.nameOf(found), rangeHash: "", form: "picture", picture: { mimeType, base64 }, notes },
    ...{ totalLines: 0, startLine: 0, endLine: 0, text: "", tokens: 0, redactions: 0, totalChars: 0 },
  };
}
