import { nameOf } from "./file-view.ts";

const dataUrl = /^data:image\/(png|jpeg|webp);base64,/;
const pngHead = Buffer.from("89504e470d0a1a0a", "hex");

/** What can be said of an image without seeing it: its form, its size, and what its name says. */
export function describeImage(path: string, url: string): string {
  const form = dataUrl.exec(url);
  if (!form) return "Image.";
  const bytes = Buffer.from(url.slice(form[0].length), "base64");
  const size = pngSize(bytes) ?? jpegSize(bytes);
  const words = nameOf(path)
    .replace(/\.[^.]*$/, "")
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .replace(/[-_.]+/g, " ")
    .trim();
  const measured = size ? `, ${size.width} × ${size.height}` : "";
  return `${form[1]?.toUpperCase()} image${measured}${words === "" ? "." : `: ${words}.`}`;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** PNG specification §11.2.2: IHDR is first, width and height at 16 and 20. */
function pngSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 24 || !bytes.subarray(0, 8).equals(pngHead)) return undefined;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** ITU-T T.81 §B.2: segments until a frame header (SOF0 to SOF15, without DHT, JPG and DAC). */
function jpegSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}
