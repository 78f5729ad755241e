export interface ImageHeader {
  readonly format: "png" | "jpeg";
  readonly width: number;
  readonly height: number;
}

const pngSignature = Buffer.from("89504e470d0a1a0a", "hex");

/** Format and size as the file's head says them, whatever its name; undefined when it is neither PNG nor JPEG. */
export function imageHeader(bytes: Uint8Array): ImageHeader | undefined {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (view.subarray(0, 8).equals(pngSignature)) {
    // The first chunk is IHDR: width and height are its first two fields (PNG, 11.2.2).
    if (view.length < 24) return undefined;
    return { format: "png", width: view.readUInt32BE(16), height: view.readUInt32BE(20) };
  }
  return view[0] === 0xff && view[1] === 0xd8 ? jpegHeader(view) : undefined;
}

/** Walks the marker segments to the frame header (ITU-T T.81, B.1.1 and B.2.2). */
function jpegHeader(view: Buffer): ImageHeader | undefined {
  let at = 2;
  while (at + 9 <= view.length) {
    if (view[at] !== 0xff) {
      // Decoders skip stray bytes between segments.
      at++;
      continue;
    }
    const marker = view[at + 1] ?? 0;
    if (isFrameHeader(marker)) {
      return { format: "jpeg", height: view.readUInt16BE(at + 5), width: view.readUInt16BE(at + 7) };
    }
    const isAlone = marker === 0xff || marker === 0x00 || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
    at += isAlone ? (marker === 0xff ? 1 : 2) : 2 + Math.max(2, view.readUInt16BE(at + 2));
  }
  return undefined;
}

/** SOF0 to SOF15 without DHT, JPG and DAC, which lie among them. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}
