import { fittingEncoding, likelyEncoding } from "../../../../text/likely-encoding.ts";

/**
 * The text of a part. Declared charsets lie: bytes that are UTF-8 are read as UTF-8 whatever is declared (text in another
 * charset hardly ever passes for it), then as declared unless they plainly are not in that, and what says ASCII, or nothing, or a
 * name nobody knows, in the one that reads it best. Never throws; the work is linear.
 */
export function decodeText(bytes: Uint8Array, charset: string): string {
  const declared = inItsOrder(decoderOf(charset), bytes);
  if (isUtf8(bytes, declared) && !isWritten(declared, bytes)) return utf8(bytes);
  // A few broken bytes do not make a whole text one in another charset, and binary data are no text at all.
  if (declared !== undefined && declared !== "utf-8") {
    const fitting = fittingEncoding(bytes, declared);
    return new TextDecoder(fitting).decode(bytes, { stream: fitting !== declared });
  }
  if (mostlyUtf8(bytes) || (declared === "utf-8" && hasControls(bytes))) return utf8(bytes);
  // `stream`: the text may be cut inside of a character.
  return new TextDecoder(likelyEncoding(bytes)).decode(bytes, { stream: true });
}

/**
 * The charset of a body: as its header says, and of HTML whose header says none, or ASCII, as the page says itself
 * (HTML, 4.2.5.4). A page whose bytes say so is in no charset of two bytes a letter.
 */
export function charsetOf(bytes: Uint8Array, charset: string, mimeType: string): string {
  if (mimeType !== "text/html" || decoderOf(charset) !== undefined) return charset;
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, mostHeadBytes));
  const [, named = ""] = /<meta\s[^<>]{0,300}?charset\s{0,9}=\s{0,9}["']?([\w.:-]{1,40})/i.exec(head) ?? [];
  return decoderOf(named)?.startsWith("utf-16") ? charset : named || charset;
}

/** Where a page says its charset: browsers look at 1,024 bytes, and mail programs write long heads. */
const mostHeadBytes = 8_192;

/**
 * The value of a header field in bytes above 127, which RFC 5322 forbids and people send: in UTF-8, or in the charset their mail
 * program writes in, which is the text's.
 *
 * @param value one character a byte @param charset as the header declares for the text
 */
export function decodeField(value: string, charset: string): string {
  // Mail programs' JIS is ASCII bytes as well: those are looked at in that charset alone.
  if (!/[\x80-\xff]/.test(value) && decoderOf(charset) !== "iso-2022-jp") return value;
  return decodeText(Buffer.from(value, "latin1"), decoderOf(charset)?.startsWith("utf-16") ? "" : charset);
}

/**
 * The charset for all fields of a header: as it is declared for the text. Where that is UTF-8, or nothing, or plainly another, the one
 * that reads best all of them that are not in UTF-8, since a name alone is too short to tell.
 *
 * @param values one character a byte
 */
export function charsetOfFields(values: readonly string[], charset: string): string {
  const declared = decoderOf(charset);
  const bytes = values
    .map((value) => Buffer.from(value, "latin1"))
    .filter((value) => !isUtf8(value, declared) && !mostlyUtf8(value));
  const all = Buffer.concat(bytes);
  if (declared !== undefined && declared !== "utf-8") {
    const fitting = fittingEncoding(all, declared);
    return fitting === declared ? charset : fitting;
  }
  return bytes.length === 0 ? charset : likelyEncoding(all);
}

/** A mark at the beginning says which byte of two comes first (RFC 2781 §4.3). */
function inItsOrder(encoding: string | undefined, [first, second]: Uint8Array): string | undefined {
  if (!encoding?.startsWith("utf-16")) return encoding;
  return first === 0xfe && second === 0xff ? "utf-16be" : encoding;
}

/** Whether ASCII bytes are text in that charset: JIS has escape sequences, and UTF-16 zero bytes. */
const isWritten = (encoding: string | undefined, bytes: Uint8Array): boolean =>
  (encoding === "iso-2022-jp" && isAscii(bytes)) ||
  (encoding?.startsWith("utf-16") === true && isAscii(bytes) && bytes.includes(0));

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

/**
 * Whether bytes are UTF-8, perhaps cut inside of a character. What would be the beginning of one, and nothing else, is the last letter of a
 * text in another charset (`Andr\xe9`), unless UTF-8 is declared.
 */
function isUtf8(bytes: Uint8Array, declared?: string): boolean {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return declared === "utf-8" || isAscii(bytes) || /[^\0-\x7f]/.test(text);
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
