import { createHash, type Hash } from "node:crypto";
import { open } from "node:fs/promises";
import { asReceived } from "./takeout-labels.ts";

/** Where one message lies in an mbox file. Offsets and lengths are bytes; the "From " line is not part of it. */
export interface MboxMessage {
  readonly separatorOffset: number;
  readonly offset: number;
  readonly length: number;
  /** SHA-256 of the bytes as they lie in the file, hex. */
  readonly hash: string;
  /** SHA-256 of the message as it was received, hex: the same in every export, and whatever mail programs note in it. */
  readonly identity: string;
  /** The first bytes, enough for the header. */
  readonly head: Buffer;
  /** Another follows; or its header has ended, and an empty line stands behind it, which programs write last. */
  readonly looksFinished: boolean;
}

const chunkBytes = 1 << 20;
const headBytes = 64 * 1024;
/** How much behind a candidate must be in memory to judge it: its own line and the next. */
const lookAheadBytes = 4096;
const needle = Buffer.from("\nFrom ");
const newline = 10;
const carriageReturn = 13;

/** Envelope date as in RFC 4155 (`Www Mmm dd hh:mm:ss …yyyy`), with what exporters add in between. */
const envelopeDay = /\b\w{3} \w{3} +\d{1,2} \d{1,2}:\d\d(?::\d\d)?\b/;
const envelopeSender = /^From (\S+@\S+|MAILER-DAEMON|-)(\s|$)/;
const headerField = /^[\x21-\x39\x3b-\x7e]{1,76}[ \t]*:/;

/**
 * Reads an mbox file front to back in constant memory, from a separator line on. A line that begins with "From "
 * separates when it follows a blank line and carries an envelope or is followed by a header field; also without the
 * blank line when it has an envelope date and a header field follows. So text that merely begins with "From " stays
 * text, and a message whose own first line is a "From " line (kept by some exporters) stays one message.
 */
export async function* scanMbox(path: string, fromOffset = 0): AsyncGenerator<MboxMessage> {
  const file = await open(path, "r");
  try {
    let buffer: Buffer = Buffer.alloc(0);
    let base = fromOffset;
    let ended = false;
    let searchFrom = 0;
    let current: OpenMessage | undefined;

    while (!ended) {
      const chunk = Buffer.allocUnsafe(chunkBytes);
      const { bytesRead } = await file.read(chunk, 0, chunkBytes, base + buffer.length);
      ended = bytesRead === 0;
      buffer =
        buffer.length === 0 ? chunk.subarray(0, bytesRead) : Buffer.concat([buffer, chunk.subarray(0, bytesRead)]);

      if (current === undefined && buffer.length > 0) {
        const start = skipBlank(buffer);
        current = openMessage(base + start, base + lineEnd(buffer, start));
        searchFrom = lineEnd(buffer, start) - 1;
      }

      let held = buffer.length;
      while (current !== undefined) {
        const hit = buffer.indexOf(needle, searchFrom);
        if (hit < 0) break;
        if (!ended && buffer.length - hit < lookAheadBytes) {
          held = hit;
          break;
        }
        const separator = hit + 1;
        searchFrom = separator;
        if (base + separator <= current.offset || !separates(buffer, separator)) continue;
        yield closeMessage(current, buffer, base, contentEnd(buffer, separator), "separator");
        const next = lineEnd(buffer, separator);
        current = openMessage(base + separator, base + next);
        searchFrom = next - 1;
      }
      if (current === undefined) continue;

      // Keep back what a separator found later may still cut off, and what a needle across the edge needs.
      const keepFrom = Math.max(0, Math.min(held, buffer.length) - 16);
      if (!ended && keepFrom > 0 && base + keepFrom > current.offset) {
        absorb(current, buffer, base, keepFrom);
        buffer = Buffer.from(buffer.subarray(keepFrom));
        base += keepFrom;
        searchFrom = Math.max(0, searchFrom - keepFrom);
      }
    }
    if (current === undefined) return;
    const end = contentEnd(buffer, buffer.length);
    yield closeMessage(current, buffer, base, end, end < buffer.length ? "emptyLine" : "nothing");
  } finally {
    await file.close();
  }
}

/** Undoes mboxrd and mboxo quoting: one ">" less before each ">From " line. */
export function unquoteMbox(bytes: Buffer): Buffer {
  if (!bytes.includes(">From ")) return bytes;
  return Buffer.from(bytes.toString("latin1").replace(/(^|\n)>(>*From )/g, "$1$2"), "latin1");
}

interface OpenMessage {
  readonly separatorOffset: number;
  readonly offset: number;
  readonly hash: Hash;
  /** Begun when the head is whole; none when the message lies there as it was received. */
  identity?: Hash | "same";
  hashedTo: number;
  head: Buffer;
}

function openMessage(separatorOffset: number, offset: number): OpenMessage {
  return { separatorOffset, offset, hash: createHash("sha256"), hashedTo: offset, head: Buffer.alloc(0) };
}

function absorb(message: OpenMessage, buffer: Buffer, base: number, end: number): void {
  const from = message.hashedTo - base;
  if (end <= from) return;
  const bytes = buffer.subarray(from, end);
  message.hash.update(bytes);
  message.hashedTo = base + end;
  const ofHead = bytes.subarray(0, headBytes - message.head.length);
  if (ofHead.length > 0) message.head = Buffer.concat([message.head, ofHead]);
  if (ofHead.length === bytes.length) return;
  message.identity ??= beginIdentity(message.head);
  if (message.identity !== "same") message.identity.update(bytes.subarray(ofHead.length));
}

function beginIdentity(head: Buffer): Hash | "same" {
  const received = asReceived(head);
  return received === head ? "same" : createHash("sha256").update(received);
}

function closeMessage(
  message: OpenMessage,
  buffer: Buffer,
  base: number,
  end: number,
  before: "separator" | "emptyLine" | "nothing",
): MboxMessage {
  absorb(message, buffer, base, end);
  const hash = message.hash.digest("hex");
  const identity = message.identity ?? beginIdentity(message.head);
  return {
    separatorOffset: message.separatorOffset,
    offset: message.offset,
    length: message.hashedTo - message.offset,
    hash,
    identity: identity === "same" ? hash : identity.digest("hex"),
    head: message.head,
    looksFinished: before === "separator" || (before === "emptyLine" && hasBody(message.head)),
  };
}

/** Whether a header ends in it: by an empty line, or beyond of what is kept. */
function hasBody(head: Buffer): boolean {
  return head.length === headBytes || /(?:^|\n)\r?\n/.test(head.toString("latin1"));
}

/** The content ends before the blank line that precedes a separator or the end of the file. */
function contentEnd(buffer: Buffer, at: number): number {
  if (buffer[at - 1] !== newline) return at;
  const blank = buffer[at - 2] === carriageReturn ? at - 2 : at - 1;
  return buffer[blank - 1] === newline ? blank : at;
}

function separates(buffer: Buffer, at: number): boolean {
  const end = lineEnd(buffer, at);
  const line = buffer.toString("latin1", at, end);
  const next = buffer.toString("latin1", end, Math.min(lineEnd(buffer, end), end + 200));
  const afterBlank = contentEnd(buffer, at) < at;
  const headerFollows = headerField.test(next) || /^>?From /.test(next);
  if (hasEnvelopeDate(line)) return afterBlank || headerFollows;
  return afterBlank && (headerFollows || envelopeSender.test(line));
}

function hasEnvelopeDate(line: string): boolean {
  const day = line.startsWith("From ") ? envelopeDay.exec(line) : null;
  return day !== null && /\b\d{4}\b/.test(line.slice(day.index + day[0].length));
}

function lineEnd(buffer: Buffer, from: number): number {
  const end = buffer.indexOf(newline, from);
  return end < 0 ? buffer.length : end + 1;
}

function skipBlank(buffer: Buffer): number {
  let at = 0;
  while (buffer[at] === newline || buffer[at] === carriageReturn) at++;
  return at;
}
