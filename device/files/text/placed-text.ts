import { isWithinCharacter } from "../../../shared/text/whole-characters.ts";
import type { TextPlace, TextPlaces } from "./text-places.ts";

const readBytes = 256 * 1024;

/** Reads bytes of a file, half open; fewer at its end. */
export type ReadRange = (startByte: number, endByte: number) => Promise<Uint8Array>;

/** A piece of a text and where it begins. */
export interface TextPart {
  readonly text: string;
  readonly startUnit: number;
}

/** A text of any size of which a part is read at a time. What it takes is bounded by the part and by one block. */
export class PlacedText {
  readonly places: TextPlaces;
  readonly #read: ReadRange;

  constructor(places: TextPlaces, read: ReadRange) {
    this.places = places;
    this.#read = read;
  }

  get totalUnits(): number {
    return this.places.end.unit;
  }

  get totalLines(): number {
    const { end, endsInBreak } = this.places;
    return end.unit === 0 ? 0 : end.breaks + (endsInBreak ? 0 : 1);
  }

  /** From a UTF-16 code unit on; one more or less where it would cut a character. */
  async fromUnit(unit: number, maxUnits: number): Promise<TextPart> {
    const place = this.#lastPlace((each) => each.unit <= unit);
    let at = place.unit;
    const parts: string[] = [];
    let [startUnit, length] = [unit, 0];
    for await (const text of this.#pieces(place)) {
      const skipped = Math.min(text.length, Math.max(0, unit - at));
      const from = skipped > 0 && skipped < text.length && isWithinCharacter(text, skipped) ? skipped - 1 : skipped;
      if (length === 0) startUnit = at + from;
      const kept = text.slice(from, from + maxUnits - length);
      parts.push(kept);
      length += kept.length;
      at += text.length;
      if (length >= maxUnits) break;
    }
    return { text: parts.join(""), startUnit: length === 0 ? Math.min(unit, this.totalUnits) : startUnit };
  }

  /** From the beginning of a line on, 1-based; at the end of the text for a line that is not there. */
  async fromLine(line: number, maxUnits: number): Promise<TextPart> {
    return this.fromUnit(await this.#unitOfLine(line), maxUnits);
  }

  /** The line a code unit stands in, 1-based. */
  async lineOf(unit: number): Promise<number> {
    const { lineBreak } = this.places;
    const place = this.#lastPlace((each) => each.unit <= unit);
    let { breaks, unit: at } = place;
    for await (const text of this.#pieces(place)) {
      for (let found = text.indexOf(lineBreak); found !== -1; found = text.indexOf(lineBreak, found + 1)) {
        if (at + found >= unit) return breaks + 1;
        breaks++;
      }
      at += text.length;
      if (at >= unit) break;
    }
    return breaks + 1;
  }

  async #unitOfLine(line: number): Promise<number> {
    const wanted = line - 1;
    if (wanted <= 0) return 0;
    if (wanted > this.places.end.breaks) return this.totalUnits;
    // A place with so many breaks before it may stand anywhere in the line.
    const place = this.#lastPlace((each) => each.breaks < wanted);
    let { breaks, unit: at } = place;
    for await (const text of this.#pieces(place)) {
      for (let found = text.indexOf(this.places.lineBreak); found !== -1; ) {
        breaks++;
        if (breaks === wanted) return at + found + 1;
        found = text.indexOf(this.places.lineBreak, found + 1);
      }
      at += text.length;
    }
    return this.totalUnits;
  }

  #lastPlace(isBefore: (place: TextPlace) => boolean): TextPlace {
    const { places } = this.places;
    let [low, high] = [0, places.length];
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      const place = places[middle];
      if (place !== undefined && isBefore(place)) low = middle;
      else high = middle;
    }
    return places[low] ?? { byte: 0, unit: 0, breaks: 0 };
  }

  async *#pieces({ byte }: TextPlace): AsyncGenerator<string> {
    const decoder = new TextDecoder(this.places.label, { ignoreBOM: true });
    const { end } = this.places;
    for (let at = byte; at < end.byte; ) {
      const bytes = await this.#read(at, Math.min(end.byte, at + readBytes));
      if (bytes.length === 0) break;
      at += bytes.length;
      yield decoder.decode(bytes, { stream: at < end.byte });
    }
  }
}
