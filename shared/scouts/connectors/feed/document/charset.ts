import { decodeText } from "../../mail/charset/decode-text.ts";

/**
 * A document's text: by its byte order mark, else the `charset` of its media type (RFC 7303 §3), else its XML declaration. Servers say one
 * charset of all they have: what is UTF-8 is read as that, what says UTF-8 and is not, by what the document itself says, and what fits
 * neither in the one that reads it best. Bytes that do not decode become U+FFFD.
 */
export function decodedText(body: Buffer, contentType: string): string {
  const mark = byMark(body);
  if (mark !== undefined) return new TextDecoder(mark).decode(body);
  const [, told = ""] = /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType) ?? [];
  const isGeneral = told === "" || /^utf-?8$/i.test(told);
  return decodeText(body, (isGeneral ? byDeclaration(body) : undefined) ?? told);
}

function byMark(body: Buffer): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return "utf-8";
  if (body[0] === 0xff && body[1] === 0xfe) return "utf-16le";
  if (body[0] === 0xfe && body[1] === 0xff) return "utf-16be";
  return undefined;
}

function byDeclaration(body: Buffer): string | undefined {
  const head = body.subarray(0, 200).toString("latin1");
  return /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]+)["']/.exec(head)?.[1];
}
