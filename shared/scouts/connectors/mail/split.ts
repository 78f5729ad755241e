import { partLimits } from "./part.ts";

/** What a part's header says of where its body ends. */
export interface SplitHead {
  /** Lower case, without parameters; empty when the header names none. */
  readonly mimeType: string;
  readonly encoding: string;
  /** Of a container, one character a byte; empty when it names none. */
  readonly boundary: string;
}

/** A part of a raw message: where its body lies in it, transfer encoding and all. */
export interface RawPart<H extends SplitHead> {
  readonly head: H;
  readonly mimeType: string;
  readonly bodyStart: number;
  bodyEnd: number;
  readonly parts: RawPart<H>[];
}

/** RFC 2046 allows boundaries of 70 characters; senders take more. */
const maxBoundaryCharacters = 1_000;
const [lineFeed, carriageReturn, dash, colon] = [10, 13, 45, 58];

interface Container<H extends SplitHead> {
  readonly part: RawPart<H>;
  /** Without blanks at its end; empty for an attached message, which ends where what holds it does. */
  readonly boundary: string;
}

/**
 * Splits a message at its boundary lines (RFC 2046 §5.1), in one pass. A boundary of any container that is still open
 * ends what is within it, as mail programs do where an end was forgotten. An attached message is split as well: its
 * content is its part. What lies deeper, or behind more parts, than real mail has ({@link partLimits}) is left out.
 *
 * @param readHead reads the header of a part; MUST NOT throw
 */
export function splitMessage<H extends SplitHead>(bytes: Buffer, readHead: (bytes: Buffer) => H): RawPart<H> {
  return new Splitting(bytes, readHead).run();
}

class Splitting<H extends SplitHead> {
  readonly #bytes: Buffer;
  readonly #readHead: (bytes: Buffer) => H;
  readonly #open: Container<H>[] = [];
  #at = 0;
  #parts = 0;

  constructor(bytes: Buffer, readHead: (bytes: Buffer) => H) {
    this.#bytes = bytes;
    this.#readHead = readHead;
  }

  run(): RawPart<H> {
    const root = this.#part("text/plain", 0);
    while (this.#at < this.#bytes.length) {
      const boundary = this.#nextBoundary();
      if (!boundary) break;
      this.#open.length = boundary.ends ? boundary.level : boundary.level + 1;
      if (boundary.ends) continue;
      const container = this.#open[boundary.level];
      if (!container || this.#parts >= partLimits.parts) continue;
      const { part } = container;
      part.parts.push(
        this.#part(part.mimeType === "multipart/digest" ? "message/rfc822" : "text/plain", boundary.level + 1),
      );
    }
    return root;
  }

  /** The part that begins here. Its body is read up to the next boundary, its children's are left to the caller. */
  #part(defaultType: string, depth: number): RawPart<H> {
    this.#parts += 1;
    const head = this.#head();
    const mimeType = head.mimeType || defaultType;
    const part: RawPart<H> = { head, mimeType, bodyStart: this.#at, bodyEnd: this.#bytes.length, parts: [] };
    const isContainer = mimeType.startsWith("multipart/") && head.boundary !== "";
    if (isContainer && depth < partLimits.depth) this.#open.push({ part, boundary: head.boundary.trimEnd() });
    else if (isMessage(mimeType) && isIdentity(head.encoding) && depth < partLimits.depth) {
      this.#open.push({ part, boundary: "" });
      part.parts.push(this.#part("text/plain", depth + 1));
    } else part.bodyEnd = this.#bodyEnd();
    return part;
  }

  #head(): H {
    const from = this.#at;
    while (this.#at < this.#bytes.length) {
      const start = this.#at;
      // A part that has a header only ends at the boundary, also at its own.
      if (this.#boundaryAt(start) || this.#isRule(start)) return this.#readHead(this.#bytes.subarray(from, start));
      this.#at = this.#nextLine(start);
      if (isBlank(this.#bytes, start, this.#at)) return this.#readHead(this.#bytes.subarray(from, start));
    }
    return this.#readHead(this.#bytes.subarray(from));
  }

  /** Whether a line can only be a boundary: it begins like one, and no field's name has two dashes before its colon. */
  #isRule(start: number): boolean {
    if (this.#bytes[start] !== dash || this.#bytes[start + 1] !== dash) return false;
    return !this.#bytes.subarray(start, this.#nextLine(start)).includes(colon);
  }

  /** Moves to the next boundary of an open container; the line break before it is the boundary's. */
  #bodyEnd(): number {
    while (this.#at < this.#bytes.length) {
      if (this.#boundaryAt(this.#at)) return beforeBreak(this.#bytes, this.#at);
      this.#at = this.#nextLine(this.#at);
    }
    return this.#bytes.length;
  }

  /** The next boundary line, left behind. */
  #nextBoundary(): { level: number; ends: boolean } | undefined {
    while (this.#at < this.#bytes.length) {
      const start = this.#at;
      const boundary = this.#boundaryAt(start);
      this.#at = this.#nextLine(start);
      if (!boundary) continue;
      for (const { part } of this.#open.slice(boundary.level + 1)) part.bodyEnd = beforeBreak(this.#bytes, start);
      const closed = boundary.ends ? this.#open[boundary.level] : undefined;
      if (closed) closed.part.bodyEnd = this.#at;
      return boundary;
    }
    return undefined;
  }

  #boundaryAt(start: number): { level: number; ends: boolean } | undefined {
    if (this.#bytes[start] !== dash || this.#bytes[start + 1] !== dash) return undefined;
    const end = Math.min(this.#nextLine(start), start + maxBoundaryCharacters);
    const line = this.#bytes.toString("latin1", start + 2, end).trimEnd();
    for (let level = this.#open.length - 1; level >= 0; level -= 1) {
      const boundary = this.#open[level]?.boundary;
      if (!boundary) continue;
      if (line === boundary) return { level, ends: false };
      if (line === `${boundary}--`) return { level, ends: true };
    }
    return undefined;
  }

  #nextLine(from: number): number {
    const end = this.#bytes.indexOf(lineFeed, from);
    return end < 0 ? this.#bytes.length : end + 1;
  }
}

/** Whether a part is a whole mail of its own, with headers: a forwarded one (RFC 2046, RFC 6532). */
export const isMessage = (mimeType: string): boolean => mimeType === "message/rfc822" || mimeType === "message/global";
const isIdentity = (encoding: string): boolean => encoding !== "base64" && encoding !== "quoted-printable";

function isBlank(bytes: Buffer, start: number, end: number): boolean {
  const length = end - start;
  return (
    length === 0 || (length === 1 && bytes[start] === lineFeed) || (length === 2 && bytes[start] === carriageReturn)
  );
}

function beforeBreak(bytes: Buffer, at: number): number {
  if (at > 0 && bytes[at - 1] === lineFeed) at -= 1;
  return at > 0 && bytes[at - 1] === carriageReturn ? at - 1 : at;
}
