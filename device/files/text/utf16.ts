export type Utf16 = "utf-16le" | "utf-16be";

/** Bytes looked at where there is no byte order mark. */
const probeBytes = 8_000;

/**
 * How bytes are UTF-16: by their byte order mark, or because every second byte of their beginning is NUL, as in ASCII
 * written so. Undefined when they are not.
 */
export function utf16Of(bytes: Uint8Array): { readonly label: Utf16; readonly bomBytes: 0 | 2 } | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return { label: "utf-16le", bomBytes: 2 };
  if (first === 0xfe && second === 0xff) return { label: "utf-16be", bomBytes: 2 };
  // A text that begins with two characters of other scripts is found by its mark only.
  if (bytes.length < 16 || (first !== 0 && second !== 0 && bytes[3] !== 0 && bytes[2] !== 0)) return undefined;
  const probe = bytes.subarray(0, probeBytes);
  let [even, odd] = [0, 0];
  for (const [at, byte] of probe.entries()) if (byte === 0) at % 2 === 0 ? even++ : odd++;
  const pairs = probe.length / 2;
  if (odd > pairs * 0.7 && even < pairs * 0.01) return { label: "utf-16le", bomBytes: 0 };
  if (even > pairs * 0.7 && odd < pairs * 0.01) return { label: "utf-16be", bomBytes: 0 };
  return undefined;
}

/** The text as UTF-8, where it is UTF-16. */
export function utf8FromUtf16(bytes: Buffer): Buffer | undefined {
  const found = utf16Of(bytes);
  return found && Buffer.from(new TextDecoder(found.label).decode(bytes), "utf8");
}
