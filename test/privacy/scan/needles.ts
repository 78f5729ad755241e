/** One way a text may be written down, as bytes to look for. */
export interface Needle {
  readonly form: string;
  readonly bytes: Buffer;
}

/**
 * A text inside a longer base64 text starts at one of three places of a group; its first and last character may share
 * bits with the neighbours and are left out.
 */
function base64Cores(bytes: Buffer, encoding: "base64" | "base64url"): Buffer[] {
  return [0, 1, 2].map((shift) => {
    const encoded = Buffer.concat([Buffer.alloc(shift), bytes]).toString(encoding);
    return Buffer.from(encoded.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6)));
  });
}

const codeUnits = (text: string, write: (unit: number) => string) =>
  Array.from({ length: text.length }, (_, index) => write(text.charCodeAt(index))).join("");
const hex = (unit: number, digits: number) => unit.toString(16).padStart(digits, "0");

/** Every form of a text that a search of plain bytes can find. Compressed and nested forms are unpacked first. */
export function needlesOf(text: string): Needle[] {
  const bytes = Buffer.from(text);
  const octets = (write: (octet: number) => string) => Array.from(bytes, write).join("");
  const utf16le = Buffer.from(text, "utf16le");
  const forms: (readonly [string, string | Buffer])[] = [
    ["raw", bytes],
    ["raw", text.toLowerCase()],
    ["raw", text.toUpperCase()],
    ["utf-16", utf16le],
    ["utf-16", Buffer.from(utf16le).swap16()],
    ["hex", bytes.toString("hex")],
    ["hex", bytes.toString("hex").toUpperCase()],
    ["url", encodeURIComponent(text)],
    ["url", octets((octet) => `%${hex(octet, 2)}`)],
    ["url", octets((octet) => `%${hex(octet, 2).toUpperCase()}`)],
    ["json", JSON.stringify(text).slice(1, -1)],
    ["json", codeUnits(text, (unit) => `\\u${hex(unit, 4)}`)],
    ["json", codeUnits(text, (unit) => `\\u${hex(unit, 4).toUpperCase()}`)],
    ["quoted-printable", octets((octet) => `=${hex(octet, 2).toUpperCase()}`)],
    ...base64Cores(bytes, "base64").map((core) => ["base64", core] as const),
    ...base64Cores(bytes, "base64url").map((core) => ["base64url", core] as const),
  ];
  const distinct = new Map<string, Needle>();
  for (const [form, found] of forms) {
    const needle = Buffer.from(found);
    const key = needle.toString("latin1");
    if (!distinct.has(key)) distinct.set(key, { form, bytes: needle });
  }
  return [...distinct.values()];
}

interface Tagged<T> {
  readonly bytes: Buffer;
  readonly tag: T;
}

/** Looks for many byte strings, each of at least two bytes, in one pass. */
export class NeedleSearch<T> {
  readonly #byStart = new Map<number, Tagged<T>[]>();
  /** Which two bytes begin anything. */
  readonly #starts = new Uint8Array(65_536);

  add(bytes: Buffer, tag: T): void {
    const start = bytes.readUInt16BE(0);
    this.#starts[start] = 1;
    const known = this.#byStart.get(start);
    if (known) known.push({ bytes, tag });
    else this.#byStart.set(start, [{ bytes, tag }]);
  }

  /** The tags of everything found, each once. */
  find(data: Buffer): Set<T> {
    const starts = this.#starts;
    const found = new Set<T>();
    let window = data[0] ?? 0;
    for (let at = 1; at < data.length; at += 1) {
      window = ((window << 8) | (data[at] ?? 0)) & 0xffff;
      if (starts[window] === 0) continue;
      for (const { bytes, tag } of this.#byStart.get(window) ?? []) {
        if (data.compare(bytes, 0, bytes.length, at - 1, Math.min(data.length, at - 1 + bytes.length)) === 0)
          found.add(tag);
      }
    }
    return found;
  }
}
