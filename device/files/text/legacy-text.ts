import iconv from "iconv-lite";
import type { LegacyCharset } from "../../../shared/text/likely-encoding.ts";
import { textEncodingOf, utf8In } from "./text-encoding.ts";
import { twoByteLabels } from "./text-places.ts";

/** Of letters in charsets of one byte seldom two stand so that they look like one of UTF-8: where more do, the text is damaged UTF-8. */
const mostSequences = 1 / 20;
/** Fewer letters tell no alphabet: most such texts are of a Western language. */
const fewestLetters = 4;

/** A text from before Unicode in the charset it is most likely in, which gives back every byte of it. */
export interface LegacyText {
  readonly charset: LegacyCharset;
  readonly text: string;
}

/**
 * The text of bytes that are neither UTF-8 nor UTF-16; undefined: they are no text, or damaged UTF-8, or Latin-1 says the
 * same, or some byte would be lost on the way back, so that only reading byte by byte is exact.
 */
export function legacyText(bytes: Uint8Array): LegacyText | undefined {
  const label = textEncodingOf(bytes)?.label;
  if (label === undefined || label === "utf-8" || label === "utf-16le" || label === "utf-16be") return undefined;
  if (!twoByteLabels.has(label)) {
    const { sequences, strays } = utf8In(bytes);
    if (sequences > strays * mostSequences || (strays < fewestLetters && label !== "windows-1252")) return undefined;
  }
  const text = decodeLegacy(bytes, label);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (text === buffer.toString("latin1") || !iconv.encode(text, label).equals(buffer)) return undefined;
  return { charset: label, text };
}

/** As `legacyText` has read it. */
export function decodeLegacy(bytes: Uint8Array, charset: LegacyCharset): string {
  return new TextDecoder(charset).decode(bytes);
}

/** Undefined when a character has no place in the charset. */
export function encodeLegacy(text: string, charset: LegacyCharset): Buffer | undefined {
  const bytes = iconv.encode(text, charset);
  return decodeLegacy(bytes, charset) === text ? bytes : undefined;
}
