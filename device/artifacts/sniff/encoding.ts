import { isUtf8 } from "node:buffer";
import chardet from "chardet";
import { utf16Of } from "../../files/grep/utf16.ts";

/** How bytes are text. */
export interface TextEncodingFound {
  /** A label of the Encoding Standard (https://encoding.spec.whatwg.org). */
  readonly label: string;
  readonly bomBytes: number;
}

/** git's rule: a NUL this early means binary (xdiff-interface.c, FIRST_FEW_BYTES). */
const binaryProbeBytes = 8_000;
/** Controls no text has: all but tab, line feed, form feed, carriage return, escape. */
const isControl = (byte: number) =>
  byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 27 && byte !== 8;

/** The encoding of a text by its beginning; undefined when it is no text. `isWhole`: there is nothing behind it. */
export function sniffEncoding(head: Buffer, isWhole: boolean): TextEncodingFound | undefined {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return { label: "utf-8", bomBytes: 3 };
  const wide = utf16Of(head);
  if (wide !== undefined) return wide;
  const probe = head.subarray(0, binaryProbeBytes);
  if (probe.includes(0)) return undefined;
  if (probe.filter(isControl).length > probe.length * 0.02) return undefined;
  if (isUtf8(isWhole ? head : upToCharacter(head))) return { label: "utf-8", bomBytes: 0 };
  // UTF-8 with a few foreign bytes is still UTF-8; what is read wrongly is counted.
  if (mostlyUtf8(head)) return { label: "utf-8", bomBytes: 0 };
  const guess = chardet.detect(head);
  return guess === null ? undefined : { label: labelOf(guess), bomBytes: 0 };
}

/** Without a character that the end cuts through. */
function upToCharacter(bytes: Buffer): Buffer {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte >= 0xc0) return bytes.subarray(0, bytes.length - back);
    if (byte < 0x80) return bytes;
  }
  return bytes;
}

function mostlyUtf8(head: Buffer): boolean {
  let [sequences, strays] = [0, 0];
  for (let at = 0; at < head.length; at++) {
    const byte = head[at] ?? 0;
    if (byte < 0x80) continue;
    const length = byte >= 0xf0 && byte < 0xf5 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc2 ? 2 : 1;
    if (length > 1 && at + length > head.length) break;
    if (length > 1 && isUtf8(head.subarray(at, at + length))) {
      sequences++;
      at += length - 1;
    } else strays++;
  }
  return sequences > strays * 4;
}

/** chardet's names as the Encoding Standard has them; what a decoder does not know is read byte by byte. */
function labelOf(guess: string): string {
  if (guess === "ASCII" || guess === "UTF-8") return "utf-8";
  try {
    return new TextDecoder(guess).encoding;
  } catch {
    return "windows-1252";
  }
}
