import type { ForwardReader } from "./byte-windows.ts";

export interface ArchiveFacts {
  readonly entries?: number;
  readonly names: readonly string[];
}

const maxNames = 20;
const maxNameChars = 200;
const blockBytes = 512;
const maxTarEntries = 1_000_000;

/** Entries of a tar archive, header by header (POSIX ustar); contents are passed over. */
export function* tarEntries(): ForwardReader<ArchiveFacts> {
  const names: string[] = [];
  let entries = 0;
  for (let offset = 0; entries < maxTarEntries; ) {
    const header = yield { offset, length: blockBytes };
    if (header.length < blockBytes || header[0] === 0) break;
    const size = Number.parseInt(header.toString("latin1", 124, 136).replace(/\0.*/, "").trim() || "0", 8);
    if (!Number.isFinite(size)) break;
    const type = String.fromCharCode(header[156] ?? 0);
    // Extended headers (x, g) and long names (L, K) describe the entry behind them.
    if (!"xgLK".includes(type)) {
      entries++;
      if (names.length < maxNames) names.push(textUpToNul(header, 0, 100));
    }
    offset += blockBytes * (1 + Math.ceil(size / blockBytes));
  }
  return { entries, names };
}

/** Bytes at the end of a ZIP that are kept: its closing record with a comment, and a directory of a few hundred entries. */
export const zipTailBytes = 256 * 1024;
const endRecord = 0x06054b50;
const end64Record = 0x06064b50;
const directoryEntry = 0x02014b50;

/** The central directory of a ZIP (APPNOTE 6.3.10, 4.3.12 to 4.3.16), from the last bytes of the file. */
export function zipEntries(tail: Buffer, fileBytes: number): ArchiveFacts {
  let at = tail.length - 22;
  while (at >= 0 && tail.readUInt32LE(at) !== endRecord) at--;
  if (at < 0) return { names: [] };
  let entries = tail.readUInt16LE(at + 10);
  let directory = tail.readUInt32LE(at + 16);
  if (entries === 0xffff || directory === 0xffffffff) {
    const at64 = tail.lastIndexOf(Buffer.from("PK\x06\x06", "latin1"), at);
    if (at64 !== -1 && at64 + 56 <= tail.length && tail.readUInt32LE(at64) === end64Record) {
      entries = Number(tail.readBigUInt64LE(at64 + 32));
      directory = Number(tail.readBigUInt64LE(at64 + 48));
    }
  }
  const names: string[] = [];
  let entry = directory - (fileBytes - tail.length);
  while (names.length < maxNames && entry >= 0 && entry + 46 <= at && tail.readUInt32LE(entry) === directoryEntry) {
    const [name, extra, comment] = [28, 30, 32].map((field) => tail.readUInt16LE(entry + field));
    names.push(tail.toString("utf8", entry + 46, Math.min(at, entry + 46 + (name ?? 0))).slice(0, maxNameChars));
    entry += 46 + (name ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return { entries, names };
}

/** The name of what a gzip file holds, when it says so (RFC 1952, section 2.3). */
export function gzipName(head: Buffer): ArchiveFacts {
  const flags = head[3] ?? 0;
  if ((flags & 8) === 0 || (flags & 4) !== 0) return { entries: 1, names: [] };
  return { entries: 1, names: [textUpToNul(head, 10, 10 + maxNameChars)] };
}

function textUpToNul(bytes: Buffer, from: number, to: number): string {
  const end = bytes.indexOf(0, from);
  return bytes.toString("utf8", from, end === -1 ? to : Math.min(end, to));
}
