import { closeSync, constants, createReadStream, fstatSync, openSync } from "node:fs";
import { Socket } from "node:net";
import { addAbortSignal, Readable } from "node:stream";
import { isatty, ReadStream } from "node:tty";
import { DeviceError, type DeviceErrorCode } from "../device/errors.ts";

/** No more is taken at once: a file is no larger that is changed, and a device or a pipe may have no end. */
export const mostHandedBytes = 32 * 1024 * 1024;

type Given = Iterable<string> | AsyncIterable<Uint8Array | string>;

interface Handed {
  /** What is refused is an error of this code. */
  readonly code: DeviceErrorCode;
  /** Ends the reading (Ctrl-C). */
  readonly signal: AbortSignal;
  /** Throws a TypeError for what is no text. Default: UTF-8, with its byte order mark. */
  readonly decoded?: (bytes: Uint8Array) => string;
}

/**
 * The text of a file that a person names: of one on a disk, of a pipe (`<(command)`) or of a device.
 *
 * @throws DeviceError `code` when it cannot be read, is too large or no UTF-8; `interrupted`
 */
export async function textOfFile(file: string, handed: Handed): Promise<string> {
  try {
    return await textOfStream(openedAt(file, handed.code), file, handed);
  } catch (cause) {
    if (!(cause instanceof Error) || !("syscall" in cause)) throw cause;
    const sentence = `${file} cannot be read; check that it is a file and that you may read it. Nothing was taken.`;
    throw new DeviceError(handed.code, { sentence, cause });
  }
}

/** @param what it is, as a sentence begins with it. @throws DeviceError as {@link textOfFile} */
export async function textOfStream(stream: Given, what: string, { code, signal, decoded }: Handed): Promise<string> {
  const bytes = await bytesWithin(stream, mostHandedBytes, signal);
  if (bytes === undefined) throw tooLarge(what, code);
  return decodedText(bytes, what, code, decoded);
}

/** All that a stream gives; undefined when that is more than `most` bytes. @throws DeviceError `interrupted` */
export async function bytesWithin(stream: Given, most: number, signal: AbortSignal): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    const heard = addAbortSignal(signal, stream instanceof Readable ? stream : Readable.from(stream));
    for await (const chunk of heard) {
      const part = Buffer.from(chunk);
      bytes += part.length;
      if (bytes > most) return undefined;
      chunks.push(part);
    }
  } catch (cause) {
    throw signal.aborted ? new DeviceError("interrupted", { cause }) : cause;
  }
  return Buffer.concat(chunks);
}

function tooLarge(what: string, code: DeviceErrorCode): DeviceError {
  const most = `${mostHandedBytes / (1024 * 1024)} MB`;
  const sentence = `${what} is larger than ${most}, and no more is taken at once; give it in parts. Nothing was taken.`;
  return new DeviceError(code, { sentence });
}

/**
 * Opened without waiting: a thread that waits for the other end of a pipe, or for somebody at a terminal, cannot be called
 * back, and keeps even `process.exit` waiting.
 */
function openedAt(file: string, code: DeviceErrorCode): Readable {
  const fd = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  const stats = fstatSync(fd);
  if (stats.isFile() && stats.size > mostHandedBytes) {
    closeSync(fd);
    throw tooLarge(file, code);
  }
  if (stats.isFIFO()) return new Socket({ fd, readable: true, writable: false });
  return isatty(fd) ? new ReadStream(fd) : createReadStream(file, { fd });
}

/**
 * Bytes a person hands in as text. What is no UTF-8 is refused: decoded nevertheless, each letter of another encoding would become a
 * mark of loss (U+FFFD), and be kept so.
 */
function decodedText(bytes: Uint8Array, what: string, code: DeviceErrorCode, decoded = utf8WithMark): string {
  try {
    return decoded(bytes);
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    const sentence = `${what} is not text in UTF-8; save it so, or change it with iconv. Nothing was taken.`;
    throw new DeviceError(code, { sentence, cause });
  }
}

const utf8WithMark = (bytes: Uint8Array): string =>
  new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
