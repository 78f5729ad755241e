import { type ExtractedImage, ExtractionError } from "./extraction.ts";
import { decodeImage, encodeImage, type Pixels, resizeImage } from "./image-codecs.ts";
import { imageHeader } from "./image-header.ts";

/** Enough to see by; a picture of 512 × 512 then takes some 40 KB. */
const jpegQuality = 75;

/**
 * A picture small enough to travel, always encoded anew: what a camera notes beside it (place, owner, a larger preview)
 * stays here.
 *
 * @throws ExtractionError `corrupt`, `too_complex` (more pixels than `maxPixels`)
 */
export async function smallImage(
  bytes: Uint8Array,
  { maxPixels, maxImageSidePixels }: { readonly maxPixels: number; readonly maxImageSidePixels: number },
): Promise<ExtractedImage> {
  const header = imageHeader(bytes);
  if (header === undefined || header.width === 0 || header.height === 0) throw new ExtractionError("corrupt");
  // Four bytes a pixel, and some copies: before anything is decoded.
  if (header.width * header.height > maxPixels) throw new ExtractionError("too_complex");
  const pixels = await decoded(bytes, header.format);
  if (pixels.width * pixels.height > maxPixels) throw new ExtractionError("too_complex");
  const factor = Math.min(1, maxImageSidePixels / Math.max(pixels.width, pixels.height));
  const [width, height] = [pixels.width, pixels.height].map((side) => Math.max(1, Math.round(side * factor)));
  const small = factor < 1 ? await resizeImage(pixels, width ?? 1, height ?? 1) : pixels;
  const jpeg = await encodeImage(onWhite(small), jpegQuality);
  const base64 = Buffer.from(jpeg.buffer, jpeg.byteOffset, jpeg.length).toString("base64");
  return { base64, mime: "image/jpeg", width: small.width, height: small.height };
}

async function decoded(bytes: Uint8Array, format: "png" | "jpeg"): Promise<Pixels> {
  try {
    return await decodeImage(new Uint8Array(bytes), format);
  } catch (error) {
    throw new ExtractionError("corrupt", error);
  }
}

/** JPEG knows no transparency; what is drawn in black on nothing would be black on black. */
function onWhite({ data, width, height }: Pixels): Pixels {
  const opaque = new Uint8ClampedArray(data);
  for (let at = 0; at < opaque.length; at += 4) {
    const alpha = (opaque[at + 3] ?? 255) / 255;
    if (alpha === 1) continue;
    for (let channel = at; channel < at + 3; channel++) {
      opaque[channel] = (opaque[channel] ?? 0) * alpha + 255 * (1 - alpha);
    }
    opaque[at + 3] = 255;
  }
  return { data: opaque, width, height };
}
