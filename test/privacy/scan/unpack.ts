import { brotliDecompressSync, constants, inflateRawSync, inflateSync } from "node:zlib";

export interface Unpacked {
  readonly form: string;
  readonly data: Buffer;
}

/** Whatever is left of a stream that was cut short is of interest; a bomb is not. */
const zlibOptions = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: 64 * 1024 * 1024 };

function attempt(form: string, unpack: () => Buffer): Unpacked[] {
  const { stackTraceLimit } = Error;
  // Nearly every attempt fails, and where takes longer to write down than to find out that.
  Error.stackTraceLimit = 0;
  try {
    const data = unpack();
    return data.length > 0 ? [{ form, data }] : [];
  } catch {
    return []; // not of this form
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Whether a deflate stream may begin so: there is no fourth kind of block, and a stored one says its length twice (RFC 1951 §3.2.3). */
function mayBeDeflate(data: Buffer): boolean {
  const kind = ((data[0] ?? 0) >> 1) & 3;
  if (kind !== 0) return kind !== 3;
  return data.length >= 5 && data.readUInt16LE(1) === (~data.readUInt16LE(3) & 0xffff);
}

function* offsetsOf(data: Buffer, signature: string): Generator<number> {
  const bytes = Buffer.from(signature, "latin1");
  for (let at = data.indexOf(bytes); at !== -1; at = data.indexOf(bytes, at + 1)) yield at;
}

/** Node's gunzip refuses what is followed by other bytes: the header is skipped (RFC 1952 §2.3) and the rest is deflate. */
function gunzipped(data: Buffer): Buffer {
  const flags = data[3] ?? 0;
  let at = 10;
  if (flags & 4) at += 2 + data.readUInt16LE(at);
  for (const field of [8, 16]) if (flags & field) at = data.indexOf(0, at) + 1;
  if (flags & 2) at += 2;
  return inflateRawSync(data.subarray(at), zlibOptions);
}

/** The second byte of a zlib stream, by level (RFC 1950 §2.2; window of 32 KB). */
const zlibStarts = ["\x78\x01", "\x78\x5e", "\x78\x9c", "\x78\xda"];

/** Compressed streams anywhere in the bytes; those without a signature (raw deflate, brotli) only as the whole of them. */
function* compressed(data: Buffer): Generator<Unpacked> {
  for (const at of offsetsOf(data, "\x1f\x8b\x08")) {
    yield* attempt("gzip", () => gunzipped(data.subarray(at)));
  }
  for (const start of zlibStarts) {
    for (const at of offsetsOf(data, start))
      yield* attempt("deflate", () => inflateSync(data.subarray(at), zlibOptions));
  }
  if (mayBeDeflate(data)) yield* attempt("raw deflate", () => inflateRawSync(data, zlibOptions));
  yield* attempt("brotli", () => brotliDecompressSync(data, { maxOutputLength: zlibOptions.maxOutputLength }));
}

/** Texts that may be base64 or hex of something else. A compressed stream may begin inside a longer run. */
function* encoded(data: Buffer): Generator<Unpacked> {
  const text = data.toString("latin1");
  for (const [run] of text.matchAll(/[A-Za-z0-9+/_-]{24,}/g)) {
    yield { form: "base64", data: Buffer.from(run, "base64") };
    for (const [signature] of run.matchAll(/H4sI|eJ[ewyz]|eNo|eAE|eF4/g)) {
      const at = run.indexOf(signature, 1);
      if (at > 0) yield { form: "base64", data: Buffer.from(run.slice(at), "base64") };
    }
  }
  for (const [run] of text.matchAll(/(?:[0-9a-f]{2}){16,}|(?:[0-9A-F]{2}){16,}/g)) {
    yield { form: "hex", data: Buffer.from(run, "hex") };
  }
}

/** What is packed inside the bytes, one layer deep. */
export function* unpacked(data: Buffer): Generator<Unpacked> {
  yield* compressed(data);
  yield* encoded(data);
}
