import { googleErrors } from "../google-error.ts";

/** Which fields of an answer are wanted, by name; those without a mask of their own are wanted whole. */
type Mask = ReadonlyMap<string, Mask | undefined>;

/**
 * Google's partial responses (https://developers.google.com/workspace/gmail/api/guides/performance#partial-response):
 * `id,payload(headers,parts/filename)`. In a list it is every entry's fields that are chosen; `*` stands for any name.
 *
 * @throws GoogleApiError 400 for what is no such selection
 */
export function partOf(answer: unknown, fields: string | null): unknown {
  return fields === null || fields === "" ? answer : masked(answer, new FieldsReader(fields).read());
}

function masked(value: unknown, mask: Mask | undefined): unknown {
  if (mask === undefined || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => masked(each, mask));
  const kept = Object.entries(value).flatMap(([name, part]) => {
    const key = mask.has(name) ? name : "*";
    return mask.has(key) ? [[name, masked(part, mask.get(key))]] : [];
  });
  return Object.fromEntries(kept);
}

class FieldsReader {
  readonly #words: readonly string[];
  #at = 0;

  constructor(fields: string) {
    this.#words = fields.match(/[\w*-]+|[(),/]/g) ?? [];
    if (this.#words.join("") !== fields) throw refused(fields);
  }

  read(): Mask {
    const mask = this.#list();
    if (this.#at < this.#words.length) throw refused(this.#words[this.#at] ?? "");
    return mask;
  }

  #list(): Mask {
    const mask = new Map<string, Mask | undefined>();
    do {
      const [name, inner] = this.#item();
      mask.set(name, inner);
    } while (this.#takes(","));
    return mask;
  }

  #item(): [string, Mask | undefined] {
    const name = this.#words[this.#at] ?? "";
    if (!/^[\w*-]+$/.test(name)) throw refused(name);
    this.#at += 1;
    if (this.#takes("/")) return [name, new Map([this.#item()])];
    if (!this.#takes("(")) return [name, undefined];
    const inner = this.#list();
    if (!this.#takes(")")) throw refused(name);
    return [name, inner];
  }

  #takes(word: string): boolean {
    if (this.#words[this.#at] !== word) return false;
    this.#at += 1;
    return true;
  }
}

const refused = (word: string) => googleErrors.invalidArgument(`Invalid field selection ${word}`);
