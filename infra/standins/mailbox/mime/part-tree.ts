import { transferDecoded } from "../../../../shared/scouts/connectors/imap/message/transfer.ts";
import { bodyText } from "../../../../shared/scouts/connectors/mail/charset/older-charsets.ts";
import { partLimits } from "../../../../shared/scouts/connectors/mail/part.ts";
import { isMessage, type RawPart, splitMessage } from "../../../../shared/scouts/connectors/mail/split.ts";
import { bareMessage, type HeaderField } from "./header-fields.ts";
import { type PartHead, readPartHead } from "./part-head.ts";

/** A message part with its transfer encoding undone; text parts are UTF-8. */
export interface MimePart {
  readonly mimeType: string;
  readonly filename: string;
  readonly headers: HeaderField[];
  readonly content: Buffer;
  readonly parts: readonly MimePart[];
}

/**
 * The part tree of a raw message. Never throws on what a message holds: containers without parts come back as the text
 * they are, and what is beyond all real mail is left out.
 */
export function parsePartTree(raw: Buffer): MimePart {
  return partTree(bareMessage(raw), 0);
}

function partTree(bytes: Buffer, depth: number): MimePart {
  const finish = (part: RawPart<PartHead>, level: number): MimePart => {
    const { head } = part;
    const isText = part.mimeType.startsWith("text/");
    const isContainer = part.mimeType.startsWith("multipart/");
    // Mail programs show a container whose boundary never comes as plain text.
    const broken = isContainer && part.parts.length === 0;
    const body = bytes.subarray(part.bodyStart, Math.max(part.bodyStart, part.bodyEnd));
    const content = isContainer && !broken ? Buffer.alloc(0) : decodeTransfer(body, head.encoding, isText);
    // An attached message under a transfer encoding, which RFC 2046 forbids and some programs send.
    const isEncoded = isMessage(part.mimeType) && part.parts.length === 0 && level < partLimits.depth;
    return {
      mimeType: broken ? "text/plain" : part.mimeType,
      filename: head.filename,
      headers: head.fields,
      content: isText || broken ? Buffer.from(bodyText(content, head.charset, part.mimeType)) : content,
      parts: isEncoded ? [partTree(content, level + 1)] : part.parts.map((child) => finish(child, level + 1)),
    };
  };
  return finish(splitMessage(bytes, readPartHead), depth);
}

/** RFC 2045 §6; what is neither base64 nor quoted-printable is taken as it is. */
function decodeTransfer(bytes: Buffer, encoding: string, isText: boolean): Buffer {
  // A file may be large, and no list puts anything below one.
  if (encoding === "base64" && !isText) return Buffer.from(bytes.toString("latin1"), "base64");
  if (encoding !== "quoted-printable") {
    const decoded = transferDecoded(bytes, encoding);
    return Buffer.from(decoded.buffer, decoded.byteOffset, decoded.length);
  }
  // Blanks at a line's end are no text, and "=" there is no line break.
  const lines = bytes
    .toString("latin1")
    .split("\n")
    .map((line) => withoutBlanks(line))
    .map((line) => (line.endsWith("=") ? line.slice(0, -1) : `${line}\r\n`));
  const text = lines.join("").replace(/\r\n$/, "");
  return Buffer.from(
    text.replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  );
}

function withoutBlanks(line: string): string {
  let end = line.length;
  while (end > 0 && " \t\r".includes(line.charAt(end - 1))) end -= 1;
  return line.slice(0, end);
}
