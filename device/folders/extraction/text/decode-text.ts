import { decodeText, detectEncoding } from "../../../access/edits/encoding.ts";
import { AccessError } from "../../../access/errors.ts";
import { ExtractionError } from "../extraction.ts";
import { likelyEncoding } from "./likely-encoding.ts";

/** The beginning tells. */
const probeBytes = 64 * 1024;
const maxControlShare = 0.02;

/**
 * The text of a file: by its byte order mark, as UTF-8, as UTF-16 without a mark, else in the encoding its bytes are most
 * likely in. What cannot be decoded becomes U+FFFD.
 *
 * @throws ExtractionError `binary`
 */
export function textOf(bytes: Uint8Array): string {
  const text = decoded(bytes).replace(/^\ufeff/, "");
  if (isMostlyControl(text)) throw new ExtractionError("binary");
  return text;
}

function decoded(bytes: Uint8Array): string {
  try {
    const { encoding, bomBytes } = detectEncoding(bytes);
    if (encoding !== "latin1" && encoding !== "mixed") return decodeText(bytes.subarray(bomBytes), encoding);
  } catch (error) {
    if (!(error instanceof AccessError)) throw error;
    const utf16 = markless(bytes);
    if (utf16 === undefined) throw new ExtractionError("binary", error);
    return decodeText(bytes.subarray(0, bytes.length - (bytes.length % 2)), utf16);
  }
  return new TextDecoder(likelyEncoding(bytes)).decode(bytes);
}

/** Text in a Latin script has a zero in nearly every other byte of its UTF-16. */
function markless(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  const probe = bytes.subarray(0, probeBytes);
  const zeros = [0, 0];
  for (const [at, byte] of probe.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const half = probe.length / 2;
  const [even = 0, odd = 0] = zeros.map((count) => count / half);
  if (odd > 0.6 && even < 0.05) return "utf-16le";
  return even > 0.6 && odd < 0.05 ? "utf-16be" : undefined;
}

function isMostlyControl(text: string): boolean {
  const probe = text.slice(0, probeBytes);
  // Escape begins the colours of terminals.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is counted
  const controls = probe.match(/[\u0000-\u0008\u000e-\u001a\u001c-\u001f\u007f]/g)?.length ?? 0;
  return controls > probe.length * maxControlShare;
}
