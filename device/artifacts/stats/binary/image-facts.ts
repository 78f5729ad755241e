import type { ForwardReader } from "./byte-windows.ts";

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** How many segments, directories or entries are looked through before giving up. */
const maxSteps = 2_000;

/** Readers of an image's size, by format. Each looks at headers only. */
export const imageReaders = {
  *png() {
    const bytes = yield { offset: 16, length: 8 };
    return bytes.length < 8 ? undefined : { width: bytes.readUInt32BE(0), height: bytes.readUInt32BE(4) };
  },
  *gif() {
    const bytes = yield { offset: 6, length: 4 };
    return bytes.length < 4 ? undefined : { width: bytes.readUInt16LE(0), height: bytes.readUInt16LE(2) };
  },
  *bmp() {
    const bytes = yield { offset: 14, length: 12 };
    if (bytes.length < 12) return undefined;
    // BITMAPCOREHEADER has 16-bit sizes; in the others a negative height means top-down.
    if (bytes.readUInt32LE(0) === 12) return { width: bytes.readUInt16LE(4), height: bytes.readUInt16LE(6) };
    return { width: Math.abs(bytes.readInt32LE(4)), height: Math.abs(bytes.readInt32LE(8)) };
  },
  *psd() {
    const bytes = yield { offset: 14, length: 8 };
    return bytes.length < 8 ? undefined : { width: bytes.readUInt32BE(4), height: bytes.readUInt32BE(0) };
  },
  *tga() {
    const bytes = yield { offset: 12, length: 4 };
    return bytes.length < 4 ? undefined : { width: bytes.readUInt16LE(0), height: bytes.readUInt16LE(2) };
  },
  *ico() {
    const bytes = yield { offset: 6, length: 2 };
    return bytes.length < 2 ? undefined : { width: bytes[0] || 256, height: bytes[1] || 256 };
  },
  webp,
  jpeg,
  tiff,
} satisfies Record<string, () => ForwardReader<ImageSize | undefined>>;

/** RFC 9649, sections 2.5 to 2.7. */
function* webp(): ForwardReader<ImageSize | undefined> {
  const bytes = yield { offset: 12, length: 18 };
  if (bytes.length < 18) return undefined;
  const chunk = bytes.toString("latin1", 0, 4);
  if (chunk === "VP8X") return { width: bytes.readUIntLE(12, 3) + 1, height: bytes.readUIntLE(15, 3) + 1 };
  if (chunk === "VP8L") {
    const packed = bytes.readUInt32LE(9);
    return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
  }
  return chunk === "VP8 "
    ? { width: bytes.readUInt16LE(14) & 0x3fff, height: bytes.readUInt16LE(16) & 0x3fff }
    : undefined;
}

/** From marker to marker up to a start of frame (ITU-T T.81, B.1 and B.2.2). */
function* jpeg(): ForwardReader<ImageSize | undefined> {
  let offset = 2;
  for (let step = 0; step < maxSteps; step++) {
    const bytes = yield { offset, length: 9 };
    if (bytes.length < 4) return undefined;
    if (bytes[0] !== 0xff) {
      // Decoders pass over stray bytes between segments.
      offset++;
      continue;
    }
    const marker = bytes[1] ?? 0;
    if (marker === 0xff) offset++;
    else if (marker === 0x01 || marker === 0x00 || (marker >= 0xd0 && marker <= 0xd8)) offset += 2;
    else if (marker === 0xda || marker === 0xd9) return undefined;
    else if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return bytes.length < 9 ? undefined : { height: bytes.readUInt16BE(5), width: bytes.readUInt16BE(7) };
    } else offset += 2 + bytes.readUInt16BE(2);
  }
  return undefined;
}

/** The first directory's ImageWidth and ImageLength (TIFF 6.0, section 8); it may lie anywhere ahead. */
function* tiff(): ForwardReader<ImageSize | undefined> {
  const header = yield { offset: 0, length: 8 };
  if (header.length < 8) return undefined;
  const isLittle = header[0] === 0x49;
  const short = (bytes: Buffer, at: number) => (isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at));
  const long = (bytes: Buffer, at: number) => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
  const directory = long(header, 4);
  const counted = yield { offset: directory, length: 2 };
  if (counted.length < 2) return undefined;
  const entries = Math.min(short(counted, 0), maxSteps);
  const bytes = yield { offset: directory + 2, length: entries * 12 };
  const values = new Map<number, number>();
  for (let at = 0; at + 12 <= bytes.length; at += 12) {
    values.set(short(bytes, at), short(bytes, at + 2) === 3 ? short(bytes, at + 8) : long(bytes, at + 8));
  }
  const [width, height] = [values.get(256), values.get(257)];
  return width === undefined || height === undefined ? undefined : { width, height };
}
