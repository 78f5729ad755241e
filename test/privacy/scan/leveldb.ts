import { unsnappy } from "./snappy.ts";

/** LevelDB, doc/table_format.md: the footer's size and its last eight bytes. */
const footerBytes = 48;
const tableMagic = Buffer.from("57fb808b247547db", "hex");
/** doc/log_format.md: blocks of 32 KB, records with a header of seven bytes (checksum, length, type). */
const logBlockBytes = 32 * 1024;
const logHeaderBytes = 7;

interface Handle {
  readonly offset: number;
  readonly size: number;
}

function varint(bytes: Buffer, start: number): { value: number; next: number } {
  let value = 0;
  for (let at = start, scale = 1; ; at += 1, scale *= 128) {
    const part = bytes.readUInt8(at);
    value += (part & 0x7f) * scale;
    if (part < 0x80) return { value, next: at + 1 };
  }
}

function handleAt(bytes: Buffer, start: number): Handle & { next: number } {
  const offset = varint(bytes, start);
  const size = varint(bytes, offset.next);
  return { offset: offset.value, size: size.value, next: size.next };
}

/** A block is followed by its compression (0 none, 1 Snappy) and a checksum. */
function block(table: Buffer, { offset, size }: Handle): Buffer {
  const stored = table.subarray(offset, offset + size);
  return table[offset + size] === 1 ? unsnappy(stored) : stored;
}

/** Keys are stored as what differs from the key before; they come out whole. */
function* entries(content: Buffer): Generator<{ key: Buffer; value: Buffer }> {
  const restarts = content.readUInt32LE(content.length - 4);
  const end = content.length - 4 * (restarts + 1);
  let key = Buffer.alloc(0);
  for (let at = 0; at < end; ) {
    const shared = varint(content, at);
    const own = varint(content, shared.next);
    const size = varint(content, own.next);
    const valueAt = size.next + own.value;
    key = Buffer.concat([key.subarray(0, shared.value), content.subarray(size.next, valueAt)]);
    at = valueAt + size.value;
    yield { key, value: content.subarray(valueAt, at) };
  }
}

/** Every key and value in a table file (`.ldb`), those overwritten or deleted later among them. */
export function* tableEntries(table: Buffer): Generator<{ key: Buffer; value: Buffer }> {
  const footer = table.subarray(table.length - footerBytes);
  if (!footer.subarray(-8).equals(tableMagic)) throw new RangeError("Not a table of LevelDB");
  const index = handleAt(footer, handleAt(footer, 0).next);
  for (const { value } of entries(block(table, index))) yield* entries(block(table, handleAt(value, 0)));
}

/** A log file's content without the headers that may stand in the middle of a value. */
export function logContent(log: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let start = 0; start < log.length; start += logBlockBytes) {
    const piece = log.subarray(start, start + logBlockBytes);
    for (let at = 0; at + logHeaderBytes <= piece.length; ) {
      const length = piece.readUInt16LE(at + 4);
      if (length === 0 && piece[at + 6] === 0) break;
      parts.push(piece.subarray(at + logHeaderBytes, at + logHeaderBytes + length));
      at += logHeaderBytes + length;
    }
  }
  return Buffer.concat(parts);
}
