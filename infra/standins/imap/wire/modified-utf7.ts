/**
 * Mailbox names as IMAP4rev1 writes them (RFC 3501 §5.1.3): printable ASCII as it is, `&` as `&-`, the rest as UTF-16 in a
 * base64 with `,` for `/` and no padding, between `&` and `-`.
 */
export function encodeName(name: string): string {
  return name.replace(/&|[^\x20-\x7e]+/g, (run) => {
    if (run === "&") return "&-";
    const bytes = Buffer.from(run, "utf16le").swap16();
    return `&${bytes.toString("base64").replaceAll("/", ",").replaceAll("=", "")}-`;
  });
}

/** The inverse of {@link encodeName}; what is no such encoding stays as it is. */
export function decodeName(encoded: string): string {
  return encoded.replace(/&([A-Za-z0-9+,]*)-/g, (whole, run: string) => {
    if (run === "") return "&";
    const bytes = Buffer.from(run.replaceAll(",", "/"), "base64");
    return bytes.length % 2 === 0 ? Buffer.from(bytes).swap16().toString("utf16le") : whole;
  });
}
