import { isUtf8 } from "node:buffer";
import iconv from "iconv-lite";
import { charsetOf, decodeText } from "./decode-text.ts";

/** What the library knows besides charsets. */
const noCharsets = /^(?:base64|hex|binary|utf-?7-?imap)$/;

/**
 * The text of a body as its source has it, in any charset of mail: those of WHATWG, as {@link decodeText} reads them, and of
 * older programs (UTF-7, code pages of DOS and Macintosh, UTF-32). Never throws; the work is linear.
 */
export function bodyText(body: Uint8Array, charset: string, mimeType: string): string {
  const bytes = mimeType === "text/calendar" ? unfolded(body) : body;
  const named = charsetOf(bytes, charset, mimeType);
  return older(bytes, named) ?? decodeText(bytes, named);
}

/** Programs fold a calendar's lines by octets, within a character too: these are put together before it is decoded (RFC 5545 §3.1). */
function unfolded(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
  return Buffer.from(text.replace(/\r?\n[ \t](?=[\x80-\xbf])/g, ""), "latin1");
}

/** An encoded word (RFC 2047 §2), its language (RFC 2231 §5) left out. */
const encodedWord = /=\?([\w.:-]{1,40})(?:\*[\w-]{1,40})?\?([bq])\?([^?\s]{0,2000})\?=/gi;

/** Encoded words in such a charset as encoded words in UTF-8; the others as they are. */
export function withKnownWords(value: string): string {
  return value.replace(encodedWord, (word: string, charset: string, encoding: string, written: string) => {
    if (!isOlder(charset)) return word;
    const bytes = /b/i.test(encoding) ? Buffer.from(written, "base64") : unquoted(written);
    return `=?utf-8?B?${Buffer.from(older(bytes, charset) ?? bytes).toString("base64")}?=`;
  });
}

function unquoted(written: string): Buffer {
  const text = written
    .replaceAll("_", " ")
    .replace(/=([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(text, "latin1");
}

/** Undefined for what is read without the library. */
function older(bytes: Uint8Array, charset: string): string | undefined {
  if (!isOlder(charset)) return undefined;
  const isAscii = bytes.every((byte) => byte < 0x80);
  // As elsewhere: what is in UTF-8 is that, whatever is declared.
  if (!isAscii && isUtf8(bytes)) return undefined;
  return iconv.decode(Buffer.from(bytes), charset.trim());
}

function isOlder(charset: string): boolean {
  const name = charset.trim().toLowerCase();
  if (name === "" || noCharsets.test(name) || isOfWeb(name)) return false;
  return iconv.encodingExists(name);
}

function isOfWeb(name: string): boolean {
  try {
    new TextDecoder(name);
    return true;
  } catch (error) {
    // A name it does not know; it throws for nothing else.
    if (error instanceof RangeError) return false;
    throw error;
  }
}
