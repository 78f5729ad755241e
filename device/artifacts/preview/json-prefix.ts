import { parseExactJson } from "../exact-json.ts";

/** A value of which only the beginning may be known. Arrays hold what was read of them; `isCut` when there may be more. */
export type PrefixNode =
  | { readonly kind: "scalar"; readonly value: string | number | bigint | boolean | null; readonly isCut: boolean }
  | { readonly kind: "array"; readonly items: readonly PrefixNode[]; readonly total: number; readonly isCut: boolean }
  | {
      readonly kind: "object";
      readonly entries: readonly (readonly [key: string, value: PrefixNode])[];
      readonly total: number;
      readonly isCut: boolean;
    }
  /** Nested too deeply to be shown. */
  | { readonly kind: "deep"; readonly isCut: boolean };

const maxDepth = 12;
const maxItems = 100;
const maxKeys = 100;
const maxStringChars = 400;
const whiteSpace = /[ \t\n\r]*/y;
const scalar = /true|false|null|-?\d[\d.eE+-]*/y;

/** Reads the values at the beginning of JSON text, as far as it goes: it may end, or be broken, anywhere. */
export function parseJsonPrefix(text: string): PrefixNode[] {
  const reader = new PrefixReader(text);
  const values: PrefixNode[] = [];
  while (values.length < maxItems) {
    const value = reader.value(0);
    if (value === undefined) break;
    values.push(value);
    if (value.isCut) break;
  }
  return values;
}

class PrefixReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Undefined when there is no value here. */
  value(depth: number): PrefixNode | undefined {
    this.#skipSpace();
    const char = this.#text[this.#at];
    if (char === "[" || char === "{") {
      if (depth >= maxDepth) return this.#skipContainer();
      return char === "[" ? this.#array(depth) : this.#object(depth);
    }
    if (char === '"') {
      const { text, isCut } = this.#string();
      return { kind: "scalar", value: text, isCut };
    }
    return this.#scalar();
  }

  #skipSpace(): void {
    whiteSpace.lastIndex = this.#at;
    whiteSpace.test(this.#text);
    this.#at = whiteSpace.lastIndex;
  }

  #scalar(): PrefixNode | undefined {
    scalar.lastIndex = this.#at;
    const found = scalar.exec(this.#text)?.[0];
    if (found === undefined) return undefined;
    const end = this.#at + found.length;
    // A number at the end of what is known may go on.
    if (end === this.#text.length && /\d|\.|e/i.test(found)) return undefined;
    try {
      const value = parseExactJson(found);
      if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean" || value === null) {
        this.#at = end;
        return { kind: "scalar", value, isCut: false };
      }
    } catch {
      // Not a number after all.
    }
    return undefined;
  }

  #string(): { text: string; isCut: boolean } {
    const text = this.#text;
    const start = this.#at;
    let end = start + 1;
    while (end < text.length && text[end] !== '"') end += text[end] === "\\" ? 2 : 1;
    const isCut = end >= text.length;
    this.#at = Math.min(end + 1, text.length);
    return { text: decoded(text.slice(start + 1, isCut ? text.length : end)), isCut };
  }

  #array(depth: number): PrefixNode {
    const items: PrefixNode[] = [];
    let total = 0;
    this.#at++;
    for (;;) {
      this.#skipSpace();
      if (this.#text[this.#at] === "]") break;
      const item = this.value(depth + 1);
      if (item === undefined) return { kind: "array", items, total, isCut: true };
      if (items.length < maxItems) items.push(item);
      total++;
      this.#skipSpace();
      if (this.#text[this.#at] === ",") this.#at++;
      else if (this.#text[this.#at] !== "]" || item.isCut) return { kind: "array", items, total, isCut: true };
    }
    this.#at++;
    return { kind: "array", items, total, isCut: false };
  }

  #object(depth: number): PrefixNode {
    const entries: [string, PrefixNode][] = [];
    let total = 0;
    this.#at++;
    for (;;) {
      this.#skipSpace();
      if (this.#text[this.#at] === "}") break;
      const cut: PrefixNode = { kind: "object", entries, total, isCut: true };
      if (this.#text[this.#at] !== '"') return cut;
      const key = this.#string();
      this.#skipSpace();
      if (key.isCut || this.#text[this.#at] !== ":") return cut;
      this.#at++;
      const value = this.value(depth + 1);
      if (value === undefined) return cut;
      if (entries.length < maxKeys) entries.push([key.text, value]);
      total++;
      this.#skipSpace();
      if (this.#text[this.#at] === ",") this.#at++;
      else if (this.#text[this.#at] !== "}" || value.isCut) return { kind: "object", entries, total, isCut: true };
    }
    this.#at++;
    return { kind: "object", entries, total, isCut: false };
  }

  /** Without recursion: brackets may be nested thousands deep. */
  #skipContainer(): PrefixNode {
    let depth = 0;
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at];
      if (char === '"') {
        if (this.#string().isCut) break;
        continue;
      }
      this.#at++;
      if (char === "[" || char === "{") depth++;
      else if ((char === "]" || char === "}") && --depth === 0) return { kind: "deep", isCut: false };
    }
    return { kind: "deep", isCut: true };
  }
}

/** The text between quotes; one that is broken or cut off is shown as it is written. */
function decoded(written: string): string {
  const shown = written.length > 6 * maxStringChars ? written.slice(0, 6 * maxStringChars) : written;
  try {
    const text = String(JSON.parse(`"${shown}"`));
    return shown.length < written.length ? `${text}…` : text;
  } catch {
    // Broken or cut off: shown as it is written.
    return shown.slice(0, maxStringChars);
  }
}
