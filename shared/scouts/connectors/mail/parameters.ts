import { decodeText } from "./charset/decode-text.ts";
import { decodedField } from "./fields.ts";

const mostCharacters = 8_000;
const mostParameters = 200;

/** `; name=value`, the value in quotes or up to the next semicolon: blanks and brackets stand in names without quotes as well. */
const parameter = /;\s*([^\s=;"]{1,100})\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;"]*))/gs;
/** `filename*`, `filename*0`, `filename*0*` (RFC 2231 §3, §4). */
const section = /^([^*]+)\*(?:(\d{1,3})(\*)?)?$/;

interface Section {
  readonly at: number;
  readonly isEncoded: boolean;
  readonly text: string;
}

/** The parameters of a structured field by their names in lower case, those in several pieces put together (RFC 2231). */
export function parametersOf(value: string): ReadonlyMap<string, string> {
  const plain = new Map<string, string>();
  const sections = new Map<string, Section[]>();
  let looked = 0;
  for (const [, written = "", quoted, bare = ""] of value.slice(0, mostCharacters).matchAll(parameter)) {
    looked += 1;
    if (looked > mostParameters) break;
    const text = quoted === undefined ? bare.trim() : quoted.replace(/\\(.)/gs, "$1");
    const name = written.toLowerCase();
    const [, base, at, mark] = section.exec(name) ?? [];
    if (base === undefined) {
      if (!plain.has(name)) plain.set(name, text);
      continue;
    }
    const found = sections.get(base) ?? [];
    found.push({ at: Number(at ?? -1), isEncoded: at === undefined || mark !== undefined, text });
    sections.set(base, found);
  }
  for (const [name, found] of sections) {
    const text = together(found);
    if (text !== "") plain.set(name, text);
  }
  return plain;
}

/** The name a part gives a file: RFC 2183's `filename`, else the older `name` of the type; empty when it gives none. */
export function fileNameOf(disposition: string, type: string): string {
  return decodedField(parametersOf(disposition).get("filename") || parametersOf(type).get("name") || "");
}

/** One that is whole counts before one in pieces, which end where a number is missing. */
function together(found: readonly Section[]): string {
  const whole = found.find(({ at }) => at < 0);
  const pieces: Section[] = [];
  const inOrder = found.toSorted((one, other) => one.at - other.at);
  for (const piece of whole ? [whole] : inOrder) {
    if (whole === undefined && piece.at !== pieces.length) break;
    pieces.push(piece);
  }
  const [first] = pieces;
  if (first === undefined) return "";
  const [, charset, rest] = /^([\w.:-]*)'[\w-]*'([\s\S]*)$/.exec(first.isEncoded ? first.text : "") ?? [];
  const texts = pieces.map((piece, at) => ({ ...piece, text: at === 0 && rest !== undefined ? rest : piece.text }));
  if (!texts.some(({ isEncoded }) => isEncoded)) return texts.map(({ text }) => text).join("");
  const bytes = texts.map(({ text, isEncoded }) => (isEncoded ? percentDecoded(text) : Buffer.from(text)));
  return decodeText(Buffer.concat(bytes), charset ?? "");
}

function percentDecoded(text: string): Buffer {
  const pieces = text.split(/(%[\da-f]{2})/i);
  return Buffer.concat(
    pieces.map((piece, at) => Buffer.from(at % 2 === 1 ? piece.slice(1) : piece, at % 2 === 1 ? "hex" : "utf8")),
  );
}
