import { sniffBinary } from "../../artifacts/sniff/magic.ts";
import { ForwardReading } from "../../artifacts/stats/binary/byte-windows.ts";
import { type ImageSize, imageReaders } from "../../artifacts/stats/binary/image-facts.ts";

export interface ImageHeader extends ImageSize {
  readonly format: "png" | "jpeg";
}

/** Format and size as the file's head says them, whatever its name; undefined when it is neither PNG nor JPEG. */
export function imageHeader(bytes: Uint8Array): ImageHeader | undefined {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const format = sniffBinary(view, false)?.format;
  if (format !== "png" && format !== "jpeg") return undefined;
  const reading = new ForwardReading(imageReaders[format]());
  reading.write(view);
  const size = reading.end();
  return size && { format, ...size };
}
