import { Headers } from "mailsplit";
import { decodeWords } from "postal-mime";

export interface HeaderField {
  readonly name: string;
  readonly value: string;
}

const maxFields = 2000;
const utf8 = new TextDecoder("utf-8", { fatal: true });
const windows1252 = new TextDecoder("windows-1252");

/**
 * A header's fields in order as Gmail shows them: unfolded, encoded words (RFC 2047) decoded. Bytes above 127, which
 * RFC 5322 forbids and people send, are read as UTF-8 when they are that, else as Windows-1252.
 */
export function headerFields(headers: Headers): HeaderField[] {
  const fields: HeaderField[] = [];
  for (const { line } of headers.getList().slice(0, maxFields)) {
    const colon = line.indexOf(":");
    if (colon < 1) continue;
    const name = line.slice(0, colon).trim();
    if (!/^[\x21-\x7e]+$/.test(name)) continue;
    fields.push({ name, value: decodeValue(line.slice(colon + 1)) });
  }
  return fields;
}

/** Fields of a message's beginning; a leading mbox "From " line is not one of them. */
export function fieldsOfHead(head: Buffer): HeaderField[] {
  const bytes = withoutMark(withoutEnvelope(head));
  const text = bytes.toString("latin1");
  const end = /\r?\n\r?\n/.exec(text);
  return headerFields(new Headers(end === null ? bytes : bytes.subarray(0, end.index + 2)));
}

/** The first field of that name, any case; "" when there is none. */
export function fieldValue(fields: readonly HeaderField[], name: string): string {
  const wanted = name.toLowerCase();
  return fields.find((field) => field.name.toLowerCase() === wanted)?.value ?? "";
}

/** Drops a leading "From " or ">From " line that some archives keep in front of the header. */
export function withoutEnvelope(raw: Buffer): Buffer {
  if (!/^>?From /.test(raw.toString("latin1", 0, 6))) return raw;
  const end = raw.indexOf(10);
  return end < 0 ? raw : raw.subarray(end + 1);
}

/** A byte order mark before the header is nobody's field. */
export function withoutMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

function decodeValue(folded: string): string {
  const unfolded = folded
    .replace(/\r?\n[ \t]+/g, " ")
    .replace(/[\r\n]+/g, " ")
    .trim();
  const text = /[\x80-\xff]/.test(unfolded) ? decodeBytes(Buffer.from(unfolded, "latin1")) : unfolded;
  return text.includes("=?") ? decodeWords(text) : text;
}

function decodeBytes(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    // No UTF-8: what mail without a declared encoding is in.
    return windows1252.decode(bytes);
  }
}
