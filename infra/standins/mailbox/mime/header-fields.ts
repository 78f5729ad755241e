import { Headers } from "mailsplit";
import { decodeWords } from "postal-mime";
import { charsetOfFields, decodeField } from "../../../../shared/scouts/connectors/mail/charset/decode-text.ts";
import { withKnownWords } from "../../../../shared/scouts/connectors/mail/charset/older-charsets.ts";
import { parameterOf } from "../../../../shared/scouts/connectors/mail/part.ts";

export interface HeaderField {
  readonly name: string;
  readonly value: string;
}

const maxFields = 2000;

/**
 * A header's fields in order as Gmail shows them: unfolded, encoded words (RFC 2047) decoded. Bytes above 127, which
 * RFC 5322 forbids and people send, are read as UTF-8 when they are that, else as the text is declared, else in the charset that reads them best.
 */
export function headerFields(headers: Headers): HeaderField[] {
  const fields: HeaderField[] = [];
  const lines = headers.getList().slice(0, maxFields);
  const type = lines.find(({ key }) => key === "content-type")?.line ?? "";
  const charset = charsetOfFields(
    lines.map(({ line }) => line),
    parameterOf(type, "charset"),
  );
  for (const { line } of lines) {
    const colon = line.indexOf(":");
    if (colon < 1) continue;
    const name = line.slice(0, colon).trim();
    if (!/^[\x21-\x7e]+$/.test(name)) continue;
    fields.push({ name, value: decodeValue(line.slice(colon + 1), charset) });
  }
  return fields;
}

/** Fields of a message's beginning; a leading mbox "From " line is not one of them. */
export function fieldsOfHead(head: Buffer): HeaderField[] {
  const bytes = bareMessage(head);
  const text = bytes.toString("latin1");
  const end = /\r?\n\r?\n/.exec(text);
  return headerFields(new Headers(Buffer.from(unfolded(text.slice(0, end?.index)), "latin1")));
}

/**
 * A header, one character a byte, with each of its fields on one line. What reads headers puts a field together line by
 * line and looks for the header's end from each line break on: both take the square of their number, and one mail of a
 * megabyte held its home up for an hour.
 */
export function unfolded(header: string): string {
  return header.replace(/[\r\n]+/g, (breaks) => (breaks.includes("\n") ? "\n" : "\r")).replace(/\n[ \t]+/g, " ");
}

/** The first field of that name, any case; "" when there is none. */
export function fieldValue(fields: readonly HeaderField[], name: string): string {
  const wanted = name.toLowerCase();
  return fields.find((field) => field.name.toLowerCase() === wanted)?.value ?? "";
}

/** A message from its first field on. Of one whose lines end as they once did on a Mac, a carriage return is a line's end. */
export function bareMessage(raw: Buffer): Buffer {
  const hasLines = raw.includes(10) || !raw.includes(13);
  return withoutMark(withoutEnvelope(hasLines ? raw : Buffer.from(raw.map((byte) => (byte === 13 ? 10 : byte)))));
}

/** Drops a leading "From " or ">From " line that some archives keep in front of the header. */
function withoutEnvelope(raw: Buffer): Buffer {
  if (!/^>?From /.test(raw.toString("latin1", 0, 6))) return raw;
  const end = raw.indexOf(10);
  return end < 0 ? raw : raw.subarray(end + 1);
}

/** A byte order mark before the header is nobody's field. */
function withoutMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

/** A field's value unfolded, its encoded words as they are. */
export function writtenValue(folded: string, charset: string): string {
  const unfolded = folded.replace(/\r?\n[ \t]+/g, " ").replace(/[\r\n]+/g, " ");
  return decodeField(unfolded, charset).trim();
}

function decodeValue(folded: string, charset: string): string {
  const text = writtenValue(folded, charset);
  return text.includes("=?") ? decodeWords(withKnownWords(text)) : text;
}
