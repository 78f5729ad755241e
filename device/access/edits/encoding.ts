import { isUtf8 } from "node:buffer";
import type { LegacyCharset } from "../../../shared/text/likely-encoding.ts";
import { decodeLegacy, encodeLegacy, legacyText } from "../../files/text/legacy-text.ts";
import { binaryProbeBytes, unicodeOf } from "../../files/text/text-encoding.ts";
import { AccessError } from "../errors.ts";

/**
 * How a file's bytes are read as text. Text from before Unicode is read in the charset it is most likely in, if that gives
 * back each byte; else `latin1` is any 8-bit text that is not UTF-8. `mixed` is UTF-8 with bytes that are not: it is read
 * byte by byte and takes only ASCII, so that nothing in it can be damaged.
 */
export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "latin1" | "mixed" | LegacyCharset;

export interface DetectedEncoding {
  readonly encoding: Encoding;
  /** Length of the byte order mark. */
  readonly bomBytes: number;
}

/**
 * The reader of files says what a text is (`unicodeOf`); an edit adds what is exact for every byte of it.
 *
 * @throws AccessError `binary_file`
 */
export function detectEncoding(bytes: Uint8Array): DetectedEncoding {
  const found = unicodeOf(bytes);
  if (found === "binary") throw new AccessError("binary_file");
  if (found?.label === "utf-8" && isUtf8(bytes)) return { encoding: "utf-8", bomBytes: found.bomBytes };
  if (found?.label === "utf-16le" || found?.label === "utf-16be") {
    const text = bytes.length % 2 === 0 && decodeText(bytes.subarray(found.bomBytes), found.label);
    if (text !== false && text.isWellFormed()) return { encoding: found.label, bomBytes: found.bomBytes };
    if (bytes.subarray(0, binaryProbeBytes).includes(0)) throw new AccessError("binary_file");
  }
  const encoding = legacyText(bytes)?.charset ?? (hasMultibyteSequence(bytes) ? "mixed" : "latin1");
  return { encoding, bomBytes: 0 };
}

/** A lead byte with its continuation bytes: in 8-bit text that would be two odd symbols side by side. */
function hasMultibyteSequence(bytes: Uint8Array): boolean {
  for (let at = 0; at + 1 < bytes.length; at++) {
    const lead = bytes[at] ?? 0;
    const length = lead >= 0xf0 && lead <= 0xf4 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 1;
    if (lead < 0xc2 || lead > 0xf4) continue;
    if (isUtf8(bytes.subarray(at, at + length)) && at + length <= bytes.length) return true;
  }
  return false;
}

/** Exact for the encoding that {@link detectEncoding} has found: what it gives is what {@link encodeText} takes back. */
export function decodeText(bytes: Uint8Array, encoding: Encoding): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (encoding === "utf-8") return buffer.toString("utf8");
  if (encoding === "utf-16le") return buffer.toString("utf16le");
  if (encoding === "utf-16be") return swapped(bytes).toString("utf16le");
  if (encoding === "latin1" || encoding === "mixed") return buffer.toString("latin1");
  return decodeLegacy(bytes, encoding);
}

/** @throws AccessError `unencodable` when a character has no place in the encoding */
export function encodeText(text: string, encoding: Encoding): Uint8Array {
  if (!text.isWellFormed()) throw new AccessError("unencodable", { detail: "It holds half a surrogate pair." });
  if (encoding === "utf-8") return Buffer.from(text, "utf8");
  if (encoding === "utf-16le") return Buffer.from(text, "utf16le");
  if (encoding === "utf-16be") return swapped(Buffer.from(text, "utf16le"));
  if (encoding !== "latin1" && encoding !== "mixed") {
    const bytes = encodeLegacy(text, encoding);
    if (bytes !== undefined) return bytes;
    const character = Array.from(text).find((each) => encodeLegacy(each, encoding) === undefined) ?? text;
    throw new AccessError("unencodable", { detail: `${JSON.stringify(character)} in a file that is ${encoding}.` });
  }
  const highest = encoding === "latin1" ? 0xff : 0x7f;
  for (const character of text) {
    if ((character.codePointAt(0) ?? 0) > highest) {
      const name = encoding === "latin1" ? "Latin-1" : "UTF-8 mixed with other bytes, which takes ASCII only";
      throw new AccessError("unencodable", { detail: `${JSON.stringify(character)} in a file that is ${name}.` });
    }
  }
  return Buffer.from(text, "latin1");
}

function swapped(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes).swap16();
}
