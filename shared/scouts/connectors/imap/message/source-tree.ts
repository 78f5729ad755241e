import { bodyText } from "../../mail/charset/older-charsets.ts";
import { isMachineCalendar } from "../../mail/machine-parts.ts";
import { fileNameOf, parametersOf } from "../../mail/parameters.ts";
import { fieldOf, type HeaderField, type MailPart, parameterOf, partLimits } from "../../mail/part.ts";
import { isShownText } from "../../mail/shown-text.ts";
import { type RawPart, type SplitHead, splitMessage } from "../../mail/split.ts";
import { headerFields } from "./header-fields.ts";
import { transferDecoded } from "./transfer.ts";

interface SourceHead extends SplitHead {
  readonly fields: readonly HeaderField[];
}

/**
 * A message whose structure its server does not tell, or tells so that nobody can read it: its beginning, taken apart
 * here. Never throws, whatever the message is built of.
 */
export function partTreeOfSource(source: Uint8Array): MailPart {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  const convert = ({ head, mimeType, bodyStart, bodyEnd, parts }: RawPart<SourceHead>, depth: number): MailPart => {
    const { fields, encoding } = head;
    const type = fieldOf(fields, "content-type");
    const body = bytes.subarray(bodyStart, Math.max(bodyStart, bodyEnd));
    const part: MailPart = {
      mimeType,
      fileName: fileNameOf(fieldOf(fields, "content-disposition"), type),
      headers: fields,
      sizeBytes: Math.floor(body.length * (encoding === "base64" ? 3 / 4 : 1)),
      parts: parts.map((child) => convert(child, depth + 1)),
    };
    // A container that came without parts is shown as it is; one that was not looked into is not.
    const isBroken = mimeType.startsWith("multipart/") && parts.length === 0 && depth < partLimits.depth;
    if (!isShownText(part) && !isBroken && !isMachineCalendar(part)) return part;
    return { ...part, text: (most) => textOf(body, encoding, mimeType, parameterOf(type, "charset"), most) };
  };
  return convert(splitMessage(bytes, readHead), 0);
}

function readHead(bytes: Buffer): SourceHead {
  const fields = headerFields(bytes);
  const type = fieldOf(fields, "content-type");
  const [named = ""] = type.split(";");
  const mimeType = named.trim().toLowerCase();
  // As the body has it: one character a byte.
  const boundary = Buffer.from(parametersOf(type).get("boundary") ?? "").toString("latin1");
  // A type without its second half is text (RFC 2045 §5.2).
  const known = mimeType === "" || mimeType.includes("/") ? mimeType : "text/plain";
  return {
    fields,
    mimeType: known,
    encoding: fieldOf(fields, "content-transfer-encoding").trim().toLowerCase(),
    boundary,
  };
}

function textOf(body: Uint8Array, encoding: string, mimeType: string, charset: string, most: number): string {
  // A character takes four bytes at most, and an encoded byte three characters.
  const decoded = transferDecoded(body.subarray(0, most * 12), encoding);
  return bodyText(decoded, charset, mimeType).slice(0, most);
}
