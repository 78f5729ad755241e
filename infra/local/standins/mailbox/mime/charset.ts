import type { TextDecoder as Decoder } from "node:util";
import iconv from "iconv-lite";

/**
 * Text of a part as Gmail serves it, always UTF-8 whatever the part declares. WHATWG labels first (they cover
 * ISO-2022-JP and GB18030 as mail uses them), then iconv-lite's older names (UTF-7, code pages). An unknown or missing
 * charset is UTF-8 when the bytes are that, else Windows-1252.
 */
export function decodeCharset(bytes: Buffer, charset: string | undefined): string {
  // Mail that says ASCII and is not, is as good as mail that says nothing.
  const named = charset?.trim().toLowerCase() ?? "";
  const label = named === "us-ascii" || named === "ascii" ? "" : named;
  const decoder = label === "" ? undefined : whatwgDecoder(label);
  if (decoder !== undefined) return decoder.decode(bytes);
  if (label !== "" && iconv.encodingExists(label)) return iconv.decode(bytes, label);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

function whatwgDecoder(label: string): Decoder | undefined {
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}
