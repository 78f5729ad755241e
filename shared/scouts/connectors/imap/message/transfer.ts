/** The bytes of a part, its transfer encoding undone (RFC 2045 §6). The text may end anywhere; what is left over goes. */
export function transferDecoded(bytes: Uint8Array, encoding: string): Uint8Array {
  const name = encoding.trim().toLowerCase();
  if (name === "base64") return unbase64(bytes);
  return name === "quoted-printable" ? unquoted(bytes) : bytes;
}

function unbase64(bytes: Uint8Array): Uint8Array {
  // Whatever is not of the alphabet is skipped (RFC 2045 §6.8); a pad in the middle ends nothing.
  const text = Buffer.from(bytes)
    .toString("latin1")
    .replace(/[^A-Za-z\d+/]/g, "");
  return Buffer.from(text.slice(0, text.length - (text.length % 4 === 1 ? 1 : 0)), "base64");
}

function unquoted(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes)
    .toString("latin1")
    .replace(/(?<![ \t])[ \t]+(?=\r?\n)/g, "")
    .replace(/=\r?\n/g, "")
    .replace(/=(?:[\dA-Fa-f]?)$/, "")
    .replace(/=([\dA-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(text, "latin1");
}
