import { isUtf8 } from "node:buffer";
import { type LegacyCharset, likelyEncoding } from "../../../shared/text/likely-encoding.ts";
import { type Utf16, utf16Of } from "./utf16.ts";

/** How bytes are text. */
export interface TextEncoding {
  /** A label of the Encoding Standard (https://encoding.spec.whatwg.org). */
  readonly label: "utf-8" | Utf16 | LegacyCharset;
  /** Length of the byte order mark. */
  readonly bomBytes: number;
}

/** git's rule: a NUL this early means binary (xdiff-interface.c, FIRST_FEW_BYTES). */
export const binaryProbeBytes = 8_000;
const maxControlShare = 0.02;

/** Controls no text has: all but backspace, tab, line feed, form feed, carriage return, escape. */
function controlsIn(codes: ArrayLike<number>): number {
  let count = 0;
  // No callback: every file's beginning is looked at, and one call a byte was a twelfth of what reading it took.
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    if (code < 32 && code !== 8 && code !== 9 && code !== 10 && code !== 12 && code !== 13 && code !== 27) count++;
  }
  return count;
}

/**
 * The encoding of a text: by its byte order mark, as UTF-16 without one, as UTF-8, else the one its bytes are most likely
 * in. The one place where that is told; whoever writes a file back asks `unicodeOf` and adds what is exact for its bytes.
 *
 * @param head the beginning is enough
 * @param isWhole there is nothing behind it
 * @returns undefined when it is no text
 */
export function textEncodingOf(head: Uint8Array, isWhole = true): TextEncoding | undefined {
  const found = unicodeOf(head, isWhole);
  if (found === "binary") return undefined;
  const { label, bomBytes } = found ?? { label: undefined, bomBytes: 0 };
  const probe = head.subarray(bomBytes, binaryProbeBytes);
  const codes = label?.startsWith("utf-16") ? unitsOf(new TextDecoder(label).decode(probe, { stream: true })) : probe;
  if (controlsIn(codes) > codes.length * maxControlShare) return undefined;
  if (found !== undefined) return found;
  // UTF-8 with a few foreign bytes is still UTF-8; what is read wrongly is counted.
  return { label: mostlyUtf8(head) ? "utf-8" : likelyEncoding(head), bomBytes: 0 };
}

/** UTF-8 or UTF-16, or no text by git's rule; undefined: text in another encoding. Parameters as of `textEncodingOf`. */
export function unicodeOf(head: Uint8Array, isWhole = true): TextEncoding | "binary" | undefined {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return { label: "utf-8", bomBytes: 3 };
  const wide = utf16Of(head);
  if (wide !== undefined) return wide;
  if (head.subarray(0, binaryProbeBytes).includes(0)) return "binary";
  return isUtf8(isWhole ? head : upToCharacter(head)) ? { label: "utf-8", bomBytes: 0 } : undefined;
}

const unitsOf = (text: string) => Array.from(text, (character) => character.codePointAt(0) ?? 0);

/** Without a character of UTF-8 that the end cuts through. */
export function upToCharacter(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte >= 0xc0) return bytes.subarray(0, bytes.length - back);
    if (byte < 0x80) return bytes;
  }
  return bytes;
}

function mostlyUtf8(head: Uint8Array): boolean {
  const { sequences, strays } = utf8In(head);
  return sequences > strays * 4;
}

/** Characters of UTF-8 beyond ASCII, and bytes that are of none, in what is not UTF-8 as a whole. */
export function utf8In(head: Uint8Array): { readonly sequences: number; readonly strays: number } {
  let [sequences, strays] = [0, 0];
  for (let at = 0; at < head.length; at++) {
    const byte = head[at] ?? 0;
    if (byte < 0x80) continue;
    const length = byte >= 0xf0 && byte < 0xf5 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc2 ? 2 : 1;
    if (length > 1 && at + length > head.length) break;
    // By its form: half a surrogate pair written so is damaged UTF-8, and no other encoding.
    if (length > 1 && head.subarray(at + 1, at + length).every((next) => (next & 0xc0) === 0x80)) {
      sequences++;
      at += length - 1;
    } else strays++;
  }
  return { sequences, strays };
}
