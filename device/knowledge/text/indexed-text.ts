import { zstdCompressSync } from "node:zlib";
import { type Passage, passagesOf, type Shape, titleOf } from "./passages.ts";
import { sketchOf } from "./sketch.ts";
import { partsOfNames, spacedWords } from "./words.ts";

/** A passage with its words, as they go into the index. */
export interface IndexedPassage extends Passage {
  readonly body: string;
  /** Of names in code. */
  readonly parts: string;
}

/** A text ready for the index. */
export interface IndexedText {
  readonly title: string;
  readonly passages: readonly IndexedPassage[];
  /** See sketch.ts. */
  readonly sketch: Uint8Array;
  /** UTF-16 code units. */
  readonly chars: number;
  /**
   * The text, compressed, where it does not stand in its file as it is (PDF, Word, pages): reading it again would take
   * seconds. Null where passages are read from the file.
   */
  readonly kept: Uint8Array | null;
}

/** @param text without credentials: what is in it can be found */
export function indexedText(text: string, shape: Shape, keepsText: boolean): IndexedText {
  const passages = passagesOf(text, shape).map((passage) => {
    const own = text.slice(passage.start, passage.end);
    return { ...passage, body: spacedWords(own), parts: partsOfNames(own) };
  });
  return {
    title: titleOf(text),
    passages,
    sketch: sketchOf(text),
    chars: text.length,
    kept: keepsText ? zstdCompressSync(text) : null,
  };
}
