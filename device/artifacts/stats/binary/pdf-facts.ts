import { constants, inflateSync } from "node:zlib";

export interface PdfFacts {
  readonly version: string;
  readonly pages?: number;
  readonly isEncrypted: boolean;
}

/** An object's dictionary may be so long; a longer one is not of the kind looked for. */
const maxDictionaryChars = 64 * 1024;
/** Object streams longer than this, packed or not, are passed over. */
const maxPackedChars = 8 * 1024 * 1024;
const maxUnpackedBytes = 32 * 1024 * 1024;
const maxObjects = 2_000_000;
/** Long enough for an object's head or a keyword that two pieces share. */
const overlapChars = 64;

const objectOrTrailer = /(?<![\d.])(\d{1,9})\s{1,4}\d{1,5}\s{1,4}obj\b|\btrailer\b/g;

/**
 * Facts about a PDF in one pass (ISO 32000-1, 7.5 and 7.7.3): objects are looked at as they go by, those in object streams
 * too, and the page tree's root has the number of pages. Later definitions of an object replace earlier ones.
 */
export class PdfFactsEngine {
  #pending = "";
  #skipsStream = false;
  #version = "";
  #isEncrypted = false;
  #root: number | undefined;
  readonly #catalogs = new Map<number, number>();
  readonly #pageTrees = new Map<number, { count: number | undefined; isRoot: boolean }>();
  readonly #pages = new Set<number>();

  write(piece: Buffer): void {
    this.#pending += piece.toString("latin1");
    this.#version ||= /%PDF-(\d\.\d)/.exec(this.#pending.slice(0, 2_048))?.[1] ?? "";
    this.#scan(false);
  }

  end(): PdfFacts {
    this.#scan(true);
    const pages = this.#pageCount();
    return { version: this.#version, ...(pages !== undefined && { pages }), isEncrypted: this.#isEncrypted };
  }

  #pageCount(): number | undefined {
    const named = this.#root === undefined ? undefined : this.#catalogs.get(this.#root);
    const byCatalog = named ?? [...this.#catalogs.values()].at(-1);
    const tree = byCatalog === undefined ? undefined : this.#pageTrees.get(byCatalog);
    if (tree?.count !== undefined) return tree.count;
    const roots = [...this.#pageTrees.values()].filter(({ isRoot, count }) => isRoot && count !== undefined);
    return roots.at(-1)?.count ?? (this.#pages.size > 0 ? this.#pages.size : undefined);
  }

  /** Goes from object to object; what may go on in the next piece stays in `#pending`. */
  #scan(isEnding: boolean): void {
    let at = 0;
    const text = this.#pending;
    for (;;) {
      if (this.#skipsStream) {
        const end = text.indexOf("endstream", at);
        if (end === -1) {
          at = Math.max(at, text.length - overlapChars);
          break;
        }
        this.#skipsStream = false;
        at = end;
      }
      objectOrTrailer.lastIndex = at;
      const head = objectOrTrailer.exec(text);
      if (head === null) {
        at = Math.max(at, text.length - overlapChars);
        break;
      }
      const start = head.index + head[0].length;
      const end = dictionaryEnd(text, start);
      if (end === -1 && !isEnding && text.length - start < maxDictionaryChars) {
        at = head.index;
        break;
      }
      const dictionary = text.slice(start, end === -1 ? start + maxDictionaryChars : end);
      const isStream = end !== -1 && text.startsWith("stream", end);
      if (head[1] === undefined) this.#trailer(dictionary);
      else this.#object(Number(head[1]), dictionary);
      at = isStream ? end + 6 : start;
      if (isStream && /\/Type\s*\/ObjStm\b/.test(dictionary)) {
        const close = text.indexOf("endstream", at);
        if (close === -1 && !isEnding && text.length - at < maxPackedChars) {
          at = head.index;
          break;
        }
        if (close !== -1) this.#objectStream(dictionary, text.slice(at, close));
      }
      this.#skipsStream = isStream;
    }
    this.#pending = text.slice(at);
  }

  #trailer(dictionary: string): void {
    const root = /\/Root\s+(\d{1,9})\s/.exec(dictionary)?.[1];
    if (root !== undefined) this.#root = Number(root);
    if (/\/Encrypt\b/.test(dictionary)) this.#isEncrypted = true;
  }

  #object(number: number, dictionary: string): void {
    if (this.#pages.size + this.#pageTrees.size > maxObjects) return;
    const type = /\/Type\s*\/(Catalog|Pages|Page|XRef)\b/.exec(dictionary)?.[1];
    if (type === "XRef") this.#trailer(dictionary);
    else if (type === "Catalog") {
      const pages = /\/Pages\s+(\d{1,9})\s/.exec(dictionary)?.[1];
      if (pages !== undefined) this.#catalogs.set(number, Number(pages));
    } else if (
      type === "Pages" ||
      (type === undefined && /\/Kids\s*\[/.test(dictionary) && /\/Count\b/.test(dictionary))
    ) {
      const count = /\/Count\s+(\d{1,9})\b(?!\s+\d+\s+R)/.exec(dictionary)?.[1];
      const isRoot = !/\/Parent\b/.test(dictionary);
      this.#pageTrees.set(number, { count: count === undefined ? undefined : Number(count), isRoot });
    } else if (type === "Page") this.#pages.add(number);
  }

  /** Objects packed into a stream: first their numbers and places, then their texts (7.5.7). */
  #objectStream(dictionary: string, data: string): void {
    const first = Number(/\/First\s+(\d{1,9})/.exec(dictionary)?.[1] ?? Number.NaN);
    if (this.#isEncrypted || !Number.isFinite(first)) return;
    const plain = data.replace(/^\r?\n?/, "");
    const isPacked = /\/FlateDecode\b|\/Fl\b/.test(dictionary);
    const text = isPacked ? unpacked(Buffer.from(plain, "latin1")) : /\/Filter\b/.test(dictionary) ? undefined : plain;
    if (text === undefined) return;
    const places = text.slice(0, first).trim().split(/\s+/).map(Number);
    for (let i = 0; i + 1 < places.length; i += 2) {
      const [number = 0, from = 0, to] = [places[i], places[i + 1], places[i + 3]];
      this.#object(number, text.slice(first + from, to === undefined ? undefined : first + to));
    }
  }
}

/** Where the object's stream or its end begins, whichever comes first. */
function dictionaryEnd(text: string, from: number): number {
  const window = text.slice(from, from + maxDictionaryChars);
  const end = /\bstream\r?\n|\bstream\r|\bendobj\b|\bstartxref\b/.exec(window)?.index;
  return end === undefined ? -1 : from + end;
}

function unpacked(data: Buffer): string | undefined {
  try {
    // A stream that is cut short gives what there is.
    return inflateSync(data, { maxOutputLength: maxUnpackedBytes, finishFlush: constants.Z_SYNC_FLUSH }).toString(
      "latin1",
    );
  } catch {
    // Not deflated, or damaged: nothing is known of what it holds.
    return undefined;
  }
}
