import { DeviceError, type DeviceErrorCode } from "../device/errors.ts";

/**
 * Bytes a person hands in as text. What is no UTF-8 is refused: decoded nevertheless, each letter of another encoding would become a
 * mark of loss (U+FFFD), and be kept so.
 *
 * @param what it is, as a sentence begins with it
 * @throws DeviceError `code`
 */
export function utf8TextOf(bytes: Uint8Array, what: string, code: DeviceErrorCode): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    const sentence = `${what} is not text in UTF-8; save it so, or change it with iconv. Nothing was taken.`;
    throw new DeviceError(code, { sentence, cause });
  }
}
