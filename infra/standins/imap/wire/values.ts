/** What a command is written with (RFC 3501 §4): atoms and numbers, strings quoted or as literals, lists. */
export type Value =
  | { readonly kind: "atom"; readonly text: string }
  | { readonly kind: "string"; readonly bytes: Buffer }
  | { readonly kind: "list"; readonly items: readonly Value[] };

/** A command that is not written as the grammar has it: answered by BAD. */
export class SyntaxFault extends Error {}

/** Deeper than any client nests. */
const maxDepth = 50;
const [space, quote, backslash, open, close, brace, openBracket, closeBracket] = [32, 34, 92, 40, 41, 123, 91, 93];

/**
 * Reads what follows a command's name. Literals lie in the bytes as they came: `{3}`, line end, three bytes.
 *
 * @throws SyntaxFault
 */
export function parseValues(bytes: Buffer): Value[] {
  let at = 0;

  function list(depth: number, end: number | undefined): Value[] {
    if (depth > maxDepth) throw new SyntaxFault("Nested too deep");
    const items: Value[] = [];
    for (;;) {
      while (bytes[at] === space) at += 1;
      const next = bytes[at];
      if (next === undefined) {
        if (end === undefined) return items;
        throw new SyntaxFault("A list is not closed");
      }
      if (next === close) {
        if (end === undefined) throw new SyntaxFault("A list is closed that was not opened");
        at += 1;
        return items;
      }
      items.push(value(depth, next));
    }
  }

  function value(depth: number, first: number): Value {
    if (first === open) {
      at += 1;
      return { kind: "list", items: list(depth + 1, close) };
    }
    if (first === quote) return { kind: "string", bytes: quoted() };
    if (first === brace) return { kind: "string", bytes: literal() };
    return { kind: "atom", text: atom() };
  }

  function quoted(): Buffer {
    const kept: number[] = [];
    for (at += 1; ; at += 1) {
      const byte = bytes[at];
      if (byte === undefined || byte === 13 || byte === 10) throw new SyntaxFault("A string is not closed");
      if (byte === quote) break;
      if (byte === backslash) at += 1;
      kept.push(bytes[at] ?? 0);
    }
    at += 1;
    return Buffer.from(kept);
  }

  function literal(): Buffer {
    const [head, length = ""] = /^\{(\d{1,10})\+?\}\r?\n/.exec(bytes.toString("latin1", at, at + 20)) ?? [];
    if (head === undefined) throw new SyntaxFault("A literal's length is missing");
    const start = at + head.length;
    at = start + Number(length);
    return bytes.subarray(start, at);
  }

  /** A section in brackets belongs to its atom, blanks and lists within included: `BODY[HEADER.FIELDS (TO)]<0.9>`. */
  function atom(): string {
    const start = at;
    let inBrackets = false;
    for (; at < bytes.length; at += 1) {
      const byte = bytes[at];
      if (byte === openBracket) inBrackets = true;
      if (byte === closeBracket) inBrackets = false;
      if (!inBrackets && (byte === space || byte === open || byte === close || byte === quote)) break;
    }
    if (inBrackets || at === start) throw new SyntaxFault("A word is not finished");
    return bytes.toString("latin1", start, at);
  }

  return list(0, undefined);
}

/** A word or a string, as text. @throws SyntaxFault for a list or nothing */
export function textOf(value: Value | undefined): string {
  if (value === undefined || value.kind === "list") throw new SyntaxFault("A word is missing");
  return value.kind === "atom" ? value.text : value.bytes.toString("utf8");
}

/** The same in upper case: names are written as one likes. */
export const wordOf = (value: Value | undefined): string => textOf(value).toUpperCase();

/** What a list holds. @throws SyntaxFault when it is none */
export function itemsOf(value: Value | undefined): readonly Value[] {
  if (value?.kind !== "list") throw new SyntaxFault("A list is missing");
  return value.items;
}

/** A whole number. @throws SyntaxFault */
export function numberOf(value: Value | undefined): number {
  const text = textOf(value);
  if (!/^\d{1,16}$/.test(text)) throw new SyntaxFault("A number is missing");
  return Number(text);
}
