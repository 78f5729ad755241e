import type { gmail_v1 } from "googleapis/build/src/apis/gmail/index.js";
import { decodeText } from "../mail/charset/decode-text.ts";
import { decodedField } from "../mail/fields.ts";
import { fieldOf, type HeaderField, type MailPart, parameterOf, partLimits } from "../mail/part.ts";

const noFiles: ReadonlyMap<string, string> = new Map();

/**
 * Gmail's `payload` (format=full) as a tree of parts. What lies deeper or behind more parts than real mail has is left out.
 *
 * @param files those that were asked for, base64url, by the ids of their attachments
 */
export function partTreeOf(payload: gmail_v1.Schema$MessagePart | undefined, files = noFiles): MailPart {
  let left: number = partLimits.parts;
  const convert = (part: gmail_v1.Schema$MessagePart, depth: number): MailPart => {
    const children = depth < partLimits.depth ? (part.parts ?? []).slice(0, Math.max(0, left)) : [];
    left -= children.length;
    const { attachmentId, size = 0 } = part.body ?? {};
    const data = part.body?.data || files.get(attachmentId ?? "");
    const own = mailPartOf(part);
    const { headers } = own;
    return {
      ...own,
      ...(data ? { text: (maxCharacters: number) => textOf(data, headers, maxCharacters) } : {}),
      // It has text that was not asked for: a part that is a file has an id in its place.
      ...(!data && !attachmentId && (size ?? 0) > 0 ? { text: () => "" } : {}),
      parts: children.map((child) => convert(child, depth + 1)),
    };
  };
  return convert(payload ?? {}, 0);
}

/** A part by itself, without what it holds. */
export function mailPartOf(part: gmail_v1.Schema$MessagePart): MailPart {
  return {
    mimeType: (part.mimeType ?? "").toLowerCase(),
    fileName: decodedField(part.filename ?? ""),
    headers: headersOf(part),
    sizeBytes: part.body?.size ?? 0,
    parts: [],
  };
}

/** The header fields of a part in their order; what Gmail leaves out is "". */
export function headersOf(part: gmail_v1.Schema$MessagePart | undefined): HeaderField[] {
  return (part?.headers ?? []).map(({ name, value }) => ({ name: name ?? "", value: value ?? "" }));
}

/** Gmail hands text over as UTF-8, whatever the part's own header still says; a byte is at most one character. */
function textOf(data: string, headers: readonly HeaderField[], maxCharacters: number): string {
  const bytes = Buffer.from(data.slice(0, Math.ceil((maxCharacters * 4) / 3)), "base64url");
  return decodeText(bytes, parameterOf(fieldOf(headers, "content-type"), "charset"));
}
