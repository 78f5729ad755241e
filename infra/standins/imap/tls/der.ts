/** ASN.1 in its distinguished encoding (ITU-T X.690), as far as a certificate needs it. */
export function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  if (content.length < 128) return Buffer.concat([Buffer.from([tag, content.length]), content]);
  const length = Buffer.from(content.length.toString(16).padStart(4, "0"), "hex");
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, content]);
}

/** A SEQUENCE (X.690): values in the order given. */
export const sequence = (...contents: readonly Buffer[]): Buffer => der(0x30, ...contents);
/** A SET (X.690). One value only, or values that are in DER's order already. */
export const setOf = (...contents: readonly Buffer[]): Buffer => der(0x31, ...contents);
/** A UTF8String (X.690). */
export const utf8String = (text: string): Buffer => der(0x0c, Buffer.from(text));
/** An OCTET STRING (X.690). */
export const octets = (content: Buffer): Buffer => der(0x04, content);
export const yes = der(0x01, Buffer.from([0xff]));

/** A whole number that is not negative, of its bytes. */
export function integer(bytes: Buffer): Buffer {
  return der(0x02, (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes);
}

/** All bits of the bytes. */
export const bits = (bytes: Buffer): Buffer => der(0x03, Buffer.from([0]), bytes);

/** An object's name in numbers, `2.5.29.17`: the first two share a byte, the rest are in groups of seven bits. */
export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  const bytes = rest.flatMap((number) => {
    const groups = [number & 0x7f];
    for (let left = number >> 7; left > 0; left >>= 7) groups.unshift((left & 0x7f) | 0x80);
    return groups;
  });
  return der(0x06, Buffer.from([first * 40 + second, ...bytes]));
}

/** RFC 5280 §4.1.2.5: until 2049 with two digits of the year, from then on with four. */
export function time(atMs: number): Buffer {
  const text = new Date(atMs).toISOString().replace(/[-:T]|\.\d+/g, "");
  return atMs < Date.UTC(2050) ? der(0x17, Buffer.from(text.slice(2))) : der(0x18, Buffer.from(text));
}
