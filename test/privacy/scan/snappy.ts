/**
 * Unpacks a Snappy block (github.com/google/snappy, format_description.txt), the compression of LevelDB's tables.
 *
 * @throws RangeError when the bytes are not one
 */
export function unsnappy(packed: Buffer): Buffer {
  let at = 0;
  const byte = () => packed.readUInt8(at++);
  let length = 0;
  for (let shift = 0; ; shift += 7) {
    const part = byte();
    length += (part & 0x7f) * 2 ** shift;
    if (part < 0x80) break;
  }
  const out = Buffer.alloc(length);
  let written = 0;
  const little = (bytes: number) => {
    const value = packed.readUIntLE(at, bytes);
    at += bytes;
    return value;
  };
  const copy = (offset: number, count: number) => {
    if (offset === 0 || offset > written) throw new RangeError("Not a Snappy block");
    // Byte by byte: a copy may overlap what it writes.
    for (let index = 0; index < count; index += 1) out[written] = out[written++ - offset] ?? 0;
  };
  while (at < packed.length) {
    const tag = byte();
    const high = tag >> 2;
    if ((tag & 3) === 0) {
      const count = (high < 60 ? high : little(high - 59)) + 1;
      packed.copy(out, written, at, at + count);
      at += count;
      written += count;
    } else if ((tag & 3) === 1) {
      copy(((tag >> 5) << 8) | byte(), (high & 7) + 4);
    } else copy(little((tag & 3) === 2 ? 2 : 4), high + 1);
  }
  return out;
}
