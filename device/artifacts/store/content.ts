/** What a tool gave, ready to be stored. */
export interface Content {
  readonly chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  readonly given: "text" | "json" | "bytes";
}

const chunkBytes = 1024 * 1024;

/** Bytes that are there already, in pieces small enough not to hold up the process. */
export function* chunksOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += chunkBytes) yield bytes.subarray(start, start + chunkBytes);
}

/** True for what comes in pieces: `Uint8Array`s or strings. */
export function isAsyncIterable(value: unknown): value is AsyncIterable<Uint8Array | string> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

/** A stream of strings and bytes as bytes. */
export async function* bytesOf(pieces: AsyncIterable<Uint8Array | string>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) yield typeof piece === "string" ? Buffer.from(piece) : piece;
}
