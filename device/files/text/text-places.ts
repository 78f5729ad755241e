import { upToCharacter } from "./text-encoding.ts";

/** A place in a text at which reading can begin: no character and no shift of its encoding is cut there. */
export interface TextPlace {
  readonly byte: number;
  /** UTF-16 code units before it. */
  readonly unit: number;
  /** Line breaks before it. */
  readonly breaks: number;
}

/** Where in a text things are, so that any part of it can be read without the rest. A few dozen bytes for each block. */
export interface TextPlaces {
  readonly label: string;
  /** What ends its lines: LF, after a CR or alone; CR alone only in a text without any LF. */
  readonly lineBreak: "\n" | "\r";
  /** Ascending; the first is where the text begins, behind its byte order mark. */
  readonly places: readonly TextPlace[];
  readonly end: TextPlace;
  readonly endsInBreak: boolean;
}

/** Of legacy encodings with two bytes for a character, none has a line feed as the second. ISO-2022 has shifts, and no places. */
export const twoByteLabels: ReadonlySet<string> = new Set(["shift_jis", "euc-jp", "gb18030", "gbk", "big5", "euc-kr"]);

/** Finds the places of a text that comes piece by piece. */
export class TextPlacer {
  readonly #label: string;
  readonly #decoder: InstanceType<typeof TextDecoder>;
  readonly #places: {
    readonly byte: number;
    readonly unit: number;
    readonly feeds: number;
    readonly returns: number;
  }[];
  #skip: number;
  #carried: Uint8Array = new Uint8Array();
  #byte = 0;
  #unit = 0;
  #feeds = 0;
  #returns = 0;
  #last = "";

  constructor({ label, bomBytes }: { readonly label: string; readonly bomBytes: number }) {
    this.#label = label;
    this.#decoder = new TextDecoder(label, { ignoreBOM: true });
    this.#skip = bomBytes;
    this.#byte = bomBytes;
    this.#places = [{ byte: bomBytes, unit: 0, feeds: 0, returns: 0 }];
  }

  /** @param piece may be used again afterwards */
  add(piece: Uint8Array): void {
    const behindMark = piece.subarray(Math.min(this.#skip, piece.length));
    this.#skip -= piece.length - behindMark.length;
    const bytes = this.#carried.length === 0 ? behindMark : Buffer.concat([this.#carried, behindMark]);
    const cut = boundaryIn(bytes, this.#label);
    const taken = cut ?? bytes.length;
    this.#count(this.#decoder.decode(bytes.subarray(0, taken), { stream: true }));
    this.#byte += taken;
    this.#carried = Uint8Array.from(bytes.subarray(taken));
    if (cut === undefined || cut === 0) return;
    this.#places.push({ byte: this.#byte, unit: this.#unit, feeds: this.#feeds, returns: this.#returns });
  }

  /** When everything has been added. */
  finish(): TextPlaces {
    this.#count(this.#decoder.decode(this.#carried));
    const lineBreak = this.#feeds === 0 && this.#returns > 0 ? "\r" : "\n";
    const breaks = (feeds: number, returns: number) => (lineBreak === "\n" ? feeds : returns);
    return {
      label: this.#label,
      lineBreak,
      places: this.#places.map(({ byte, unit, feeds, returns }) => ({ byte, unit, breaks: breaks(feeds, returns) })),
      end: {
        byte: this.#byte + this.#carried.length,
        unit: this.#unit,
        breaks: breaks(this.#feeds, this.#returns),
      },
      endsInBreak: this.#last === lineBreak,
    };
  }

  #count(text: string): void {
    this.#unit += text.length;
    this.#feeds += countOf(text, "\n");
    this.#returns += countOf(text, "\r");
    this.#last = text.at(-1) ?? this.#last;
  }
}

function countOf(text: string, character: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) count++;
  return count;
}

/** The last place in the bytes at which reading can begin; undefined when none is known. */
function boundaryIn(bytes: Uint8Array, label: string): number | undefined {
  if (label === "utf-8") return upToCharacter(bytes).length;
  if (label === "utf-16le" || label === "utf-16be") {
    const even = bytes.length - (bytes.length % 2);
    const high = bytes[even - (label === "utf-16le" ? 1 : 2)] ?? 0;
    return even > 0 && high >= 0xd8 && high <= 0xdb ? even - 2 : even;
  }
  if (!twoByteLabels.has(label)) return label.startsWith("iso-2022") ? undefined : bytes.length;
  const feed = bytes.lastIndexOf(0x0a);
  return feed === -1 ? undefined : feed + 1;
}
