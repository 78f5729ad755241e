/**
 * A document's text: by its byte order mark, else the `charset` of its media type (RFC 7303 §3), else its XML
 * declaration, else UTF-8. Bytes that do not decode become U+FFFD.
 */
export function decodedText(body: Buffer, contentType: string): string {
  const label = byMark(body) ?? /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1] ?? byDeclaration(body);
  return decoderOf(label).decode(body);
}

function byMark(body: Buffer): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return "utf-8";
  if (body[0] === 0xff && body[1] === 0xfe) return "utf-16le";
  if (body[0] === 0xfe && body[1] === 0xff) return "utf-16be";
  return undefined;
}

function byDeclaration(body: Buffer): string | undefined {
  const head = body.subarray(0, 200).toString("latin1");
  return /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]+)["']/.exec(head)?.[1];
}

function decoderOf(label: string | undefined): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(label ?? "utf-8");
  } catch {
    // A label nobody knows: what most feeds are in.
    return new TextDecoder("utf-8");
  }
}
