import iconv from "iconv-lite";
import { charsetOf, decodeText } from "../../../../shared/scouts/connectors/mail/decode-text.ts";

/**
 * Text of a part as Gmail serves it, always UTF-8 whatever the part declares. WHATWG labels first (they cover
 * ISO-2022-JP and GB18030 as mail uses them, and lies are seen through), then iconv-lite's older names (UTF-7, code
 * pages). An unknown or missing charset is UTF-8 when the bytes are that, else Windows-1252.
 */
export function decodeCharset(bytes: Buffer, charset: string, mimeType: string): string {
  const label = charsetOf(bytes, charset, mimeType).trim().toLowerCase();
  if (label !== "" && !isWhatwg(label) && iconv.encodingExists(label)) return iconv.decode(bytes, label);
  return decodeText(bytes, label);
}

function isWhatwg(label: string): boolean {
  try {
    new TextDecoder(label);
    return true;
  } catch (error) {
    // A name it does not know; it throws for nothing else.
    if (error instanceof RangeError) return false;
    throw error;
  }
}
