import { fieldsIn, fieldValue, type RawField, type Structured, structured } from "./header.ts";

/** A part of a message by where it lies in its bytes; the root is the message itself. */
export interface Part {
  readonly fields: readonly RawField[];
  readonly type: Structured;
  /** Header with the empty line after it, and body: offsets into the message. */
  readonly start: number;
  readonly bodyStart: number;
  readonly end: number;
  /** Of a multipart its parts, of an attached message its content, which is one. */
  readonly parts: readonly Part[];
}

/** Real mail nests some ten levels. */
const maxDepth = 60;

/** Splits a message (RFC 2046 §5.1). What is no multipart, or one without boundaries, has no parts. */
export function parseMessage(bytes: Buffer): Part {
  return partIn(bytes, 0, bytes.length, "text/plain", 0);
}

function partIn(bytes: Buffer, start: number, end: number, byDefault: string, depth: number): Part {
  const bodyStart = bodyAfter(bytes, start, end);
  const fields = fieldsIn(bytes.subarray(start, bodyStart));
  const said = structured(fieldValue(fields, "content-type") ?? byDefault);
  const type = /^[^/\s]+\/[^/\s]+$/.test(said.word) ? said : { word: byDefault, parameters: [] };
  const parts = depth < maxDepth ? partsOf(bytes, type, bodyStart, end, depth) : [];
  return { fields, type, start, bodyStart, end, parts };
}

function bodyAfter(bytes: Buffer, start: number, end: number): number {
  // A part may have no header at all: then it begins with the empty line.
  if (bytes[start] === 13 && bytes[start + 1] === 10) return start + 2;
  if (bytes[start] === 10) return start + 1;
  const crlf = bytes.indexOf("\r\n\r\n", start, "latin1");
  const lf = bytes.indexOf("\n\n", start, "latin1");
  const found = [crlf < 0 ? end : crlf + 4, lf < 0 ? end : lf + 2];
  return Math.min(end, ...found);
}

function partsOf(bytes: Buffer, type: Structured, from: number, end: number, depth: number): Part[] {
  if (type.word === "message/rfc822") return [partIn(bytes, from, end, "text/plain", depth + 1)];
  const [, boundary = ""] = type.parameters.find(([name]) => name === "boundary") ?? [];
  if (!type.word.startsWith("multipart/") || boundary === "") return [];
  const byDefault = type.word === "multipart/digest" ? "message/rfc822" : "text/plain";
  return between(bytes, boundary, from, end).map(([start, stop]) => partIn(bytes, start, stop, byDefault, depth + 1));
}

/** Where parts lie between their boundary lines; the line end before a boundary belongs to it. */
function between(bytes: Buffer, boundary: string, from: number, end: number): [number, number][] {
  const mark = Buffer.from(`--${boundary}`, "latin1");
  const places: [number, number][] = [];
  let start: number | undefined;
  for (let at = bytes.indexOf(mark, from); at >= 0 && at < end; at = bytes.indexOf(mark, at + mark.length)) {
    if (at > from && bytes[at - 1] !== 10) continue;
    if (start !== undefined) places.push([start, lineEndBefore(bytes, at, start)]);
    const after = at + mark.length;
    if (bytes.toString("latin1", after, after + 2) === "--") return places;
    const lineEnd = bytes.indexOf(10, after);
    start = lineEnd < 0 || lineEnd >= end ? end : lineEnd + 1;
  }
  if (start !== undefined && start < end) places.push([start, end]);
  return places;
}

function lineEndBefore(bytes: Buffer, at: number, start: number): number {
  const withoutLf = bytes[at - 1] === 10 ? at - 1 : at;
  return Math.max(start, bytes[withoutLf - 1] === 13 ? withoutLf - 1 : withoutLf);
}
