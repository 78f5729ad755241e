/**
 * The text of a part. Declared charsets lie: bytes that are UTF-8 are read as UTF-8 whatever is declared (text in another
 * charset hardly ever passes for it), then as declared, and what says ASCII, or nothing, or a name nobody knows, as
 * Windows-1252, which is what such mail is in. Never throws; the work is linear.
 */
export function decodeText(bytes: Uint8Array, charset: string): string {
  const declared = decoderOf(charset);
  if (isUtf8(bytes) && (declared === undefined || !(isEscaped(declared) && isAscii(bytes)))) return utf8(bytes);
  // A few broken bytes do not make a whole text Windows-1252, and binary data are no text at all.
  if (declared === "utf-8" && (mostlyUtf8(bytes) || hasControls(bytes))) return utf8(bytes);
  const encoding = declared === undefined || declared === "utf-8" ? "windows-1252" : declared;
  return new TextDecoder(encoding).decode(bytes);
}

/** Charsets whose text is ASCII bytes: JIS by escape sequences, UTF-16 by zero bytes. */
const isEscaped = (encoding: string): boolean => encoding === "iso-2022-jp" || encoding.startsWith("utf-16");

function decoderOf(charset: string): string | undefined {
  const name = charset.trim().toLowerCase();
  if (name === "" || name === "us-ascii" || name === "ascii") return undefined;
  try {
    return new TextDecoder(name).encoding;
  } catch (error) {
    // A name it does not know; it throws for nothing else.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    // `stream`: the text may be cut inside of a character, which is no reason to doubt the encoding.
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

const utf8 = (bytes: Uint8Array): string => new TextDecoder("utf-8").decode(bytes, { stream: true });
const isAscii = (bytes: Uint8Array): boolean => bytes.every((byte) => byte < 0x80);
const hasControls = (bytes: Uint8Array): boolean =>
  bytes.some((byte) => byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0c && byte !== 0x0d);

/** Whether more of what is beyond ASCII decodes than does not. */
function mostlyUtf8(bytes: Uint8Array): boolean {
  let good = 0;
  let bad = 0;
  for (const character of utf8(bytes)) {
    if (character === "\ufffd") bad += 1;
    else if (character > "\u007f") good += 1;
  }
  return good > bad;
}
