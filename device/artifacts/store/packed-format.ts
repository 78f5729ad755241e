import { zstdCompressSync } from "node:zlib";
import type { BlockCipher } from "../../vault/sealed-box.ts";
import { boxHeadBytes } from "../../vault/sealed-box.ts";

/**
 * A packed file: what it is, its blocks, where they are.
 *
 *     "SCKP" version sealed? key │ block 0 │ block 1 │ … │ length of each block │ blocks, bytes of content, "PCKS"
 *
 * Each block is so much of the content, compressed (zstd) and then, where it is sealed, encrypted.
 */
export const blockBytes = 256 * 1024;
const begin = Buffer.from("SCKP");
const end = Buffer.from("PCKS");
const version = 1;
const plainHeadBytes = begin.length + 2;
export const maxHeadBytes = plainHeadBytes + boxHeadBytes;
export const tailBytes = 4 + 8 + end.length;
/** Of a file that says otherwise nothing is true: its artifact may be 8 GB. */
const maxBlocks = 1_000_000;

export type Head = { readonly isSealed: false } | { readonly isSealed: true; readonly key: Uint8Array };

export interface Layout {
  readonly head: Head;
  /** Of the content. */
  readonly sizeBytes: number;
  /** Where each block begins, and where the last one ends. */
  readonly starts: readonly number[];
}

/** The first bytes of a packed file: a mark, the version of the format, whether it is encrypted, and then its key. */
export const headOf = (head: Head): Buffer =>
  Buffer.concat([begin, Buffer.from([version, head.isSealed ? 1 : 0]), head.isSealed ? head.key : Buffer.alloc(0)]);

/** Undefined for a file that is not packed. */
export function parseHead(bytes: Uint8Array): Head | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (head.length < plainHeadBytes || !head.subarray(0, begin.length).equals(begin)) return undefined;
  if (head[begin.length] !== version) return undefined;
  return head[begin.length + 1] === 1
    ? { isSealed: true, key: head.subarray(plainHeadBytes, maxHeadBytes) }
    : { isSealed: false };
}

/** Undefined when the end of the file is not that of a packed one. */
export async function layoutOf(
  head: Head,
  headBytes: number,
  tail: Uint8Array,
  storedBytes: number,
  range: (startByte: number, endByte: number) => Promise<Uint8Array>,
): Promise<Layout | undefined> {
  const last = Buffer.from(tail.buffer, tail.byteOffset, tail.byteLength);
  if (last.length < tailBytes || !last.subarray(-end.length).equals(end)) return undefined;
  const [blocks, sizeBytes] = [last.readUInt32BE(0), Number(last.readBigUInt64BE(4))];
  const from = storedBytes - tailBytes - blocks * 4;
  if (blocks > maxBlocks || from < headBytes || Math.ceil(sizeBytes / blockBytes) !== blocks) return undefined;
  const bytes = await range(from, storedBytes - tailBytes);
  const lengths = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (lengths.length !== blocks * 4) return undefined;
  const starts = [headBytes];
  for (let at = 0; at < blocks; at++) starts.push((starts[at] ?? 0) + lengths.readUInt32BE(at * 4));
  return starts.at(-1) === from ? { head, sizeBytes, starts } : undefined;
}

/** Content as it is stored, piece by piece. @param sealer undefined: it is compressed only */
export async function* packed(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  sealer: (BlockCipher & { readonly head: Buffer }) | undefined,
): AsyncGenerator<Uint8Array> {
  yield headOf(sealer === undefined ? { isSealed: false } : { isSealed: true, key: sealer.head });
  const lengths: number[] = [];
  let sizeBytes = 0;
  for await (const block of blocksOf(pieces)) {
    const compressed = zstdCompressSync(block);
    const stored = sealer === undefined ? compressed : sealer.block(compressed, lengths.length);
    lengths.push(stored.length);
    sizeBytes += block.length;
    yield stored;
  }
  const tail = Buffer.alloc(lengths.length * 4 + tailBytes);
  for (const [at, length] of lengths.entries()) tail.writeUInt32BE(length, at * 4);
  tail.writeUInt32BE(lengths.length, lengths.length * 4);
  tail.writeBigUInt64BE(BigInt(sizeBytes), lengths.length * 4 + 4);
  end.copy(tail, tail.length - end.length);
  yield tail;
}

async function* blocksOf(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; ) {
      const part = piece.subarray(at, at + blockBytes - bytes);
      waiting.push(part.slice());
      bytes += part.length;
      at += part.length;
      if (bytes < blockBytes) continue;
      yield Buffer.concat(waiting);
      [waiting, bytes] = [[], 0];
    }
  }
  if (bytes > 0) yield Buffer.concat(waiting);
}
