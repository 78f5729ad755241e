import { textEncodingOf } from "../../../files/text/text-encoding.ts";
import { ExtractionError } from "../extraction.ts";

/** The text of a file, without its byte order mark. What cannot be decoded becomes U+FFFD. @throws ExtractionError `binary` */
export function textOf(bytes: Uint8Array): string {
  const found = textEncodingOf(bytes);
  if (found === undefined) throw new ExtractionError("binary");
  return new TextDecoder(found.label).decode(bytes);
}
