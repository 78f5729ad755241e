import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import decodeJpeg, { init as initJpegDecoder } from "@jsquash/jpeg/decode.js";
import encodeJpeg, { init as initJpegEncoder } from "@jsquash/jpeg/encode.js";
import decodePng, { init as initPng } from "@jsquash/png/decode.js";
import resizePixels, { initResize } from "@jsquash/resize";

/** Red, green, blue and alpha of each pixel, a byte each, row by row. */
export interface Pixels {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
}

/** What the codecs make their results with; browsers have it, Node does not. */
class PixelData implements Pixels {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;

  constructor(data: Uint8ClampedArray, width: number, height: number) {
    this.data = data;
    this.width = width;
    this.height = height;
  }
}

/** The codecs look for their WebAssembly by `fetch`, which in Node reads no files. */
const wasm = (name: string) => new Uint8Array(readFileSync(fileURLToPath(import.meta.resolve(name))));

let ready: Promise<unknown> | undefined;

/** Loads the codecs once; for a thread of their own, as they hold what they allocate. */
function loaded(): Promise<unknown> {
  if (!("ImageData" in globalThis)) Object.assign(globalThis, { ImageData: PixelData });
  ready ??= Promise.all([
    initJpegDecoder({ wasmBinary: wasm("@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm") }),
    initJpegEncoder({ wasmBinary: wasm("@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm") }),
    initPng(wasm("@jsquash/png/codec/pkg/squoosh_png_bg.wasm")),
    initResize(wasm("@jsquash/resize/lib/resize/pkg/squoosh_resize_bg.wasm")),
  ]);
  return ready;
}

/** Turned as the camera's note about orientation says. */
export async function decodeImage(bytes: Uint8Array<ArrayBuffer>, format: "png" | "jpeg"): Promise<Pixels> {
  await loaded();
  return format === "png" ? decodePng(bytes.buffer) : decodeJpeg(bytes.buffer, { preserveOrientation: true });
}

/** To a size in pixels, by Lanczos with three lobes. The proportions are the caller's to keep. */
export async function resizeImage(pixels: Pixels, width: number, height: number): Promise<Pixels> {
  await loaded();
  return resizePixels(new PixelData(pixels.data, pixels.width, pixels.height), { width, height, method: "lanczos3" });
}

/** As JPEG. @param quality 0 to 100 */
export async function encodeImage(pixels: Pixels, quality: number): Promise<Uint8Array> {
  await loaded();
  return new Uint8Array(await encodeJpeg(pixels, { quality }));
}
