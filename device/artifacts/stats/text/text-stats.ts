import { naturalLanguageOf } from "../../sniff/natural-language.ts";
import type { StructureKind } from "../../sniff/text-structure.ts";
import type { TextStats, TextStructure } from "../stats.ts";
import { CodeLines } from "./code-lines.ts";
import { LineReader } from "./line-reader.ts";
import { LogLines } from "./log-lines.ts";
import { TextCounter } from "./text-counter.ts";

interface LineCounter {
  add(line: Buffer): void;
  end(): TextStructure;
}

/** Statistics of text in one pass. Write UTF-8 in pieces of any size, then `end`. */
export class TextStatsEngine {
  readonly #counter = new TextCounter();
  readonly #structure: StructureKind;
  readonly #head: string;
  readonly #lines: { counter: LineCounter; reader: LineReader } | undefined;

  /** @param head the beginning of the text, which tells its language */
  constructor(structure: StructureKind, head: string) {
    this.#structure = structure;
    this.#head = head;
    const counter =
      structure.kind === "log"
        ? new LogLines()
        : structure.kind === "code"
          ? new CodeLines(structure.language)
          : undefined;
    this.#lines = counter && { counter, reader: new LineReader((line) => counter.add(line)) };
  }

  write(piece: Buffer): void {
    this.#counter.write(piece);
    this.#lines?.reader.write(piece);
  }

  end(encoding: string, invalidBytes: number): TextStats {
    this.#lines?.reader.end();
    const { lines, words, characters, longestLineBytes } = this.#counter;
    const naturalLanguage = this.#structure.kind === "prose" ? naturalLanguageOf(this.#head) : undefined;
    return {
      kind: "text",
      encoding,
      invalidBytes,
      lines,
      words,
      characters,
      longestLineBytes,
      ...(naturalLanguage && { naturalLanguage }),
      structure: this.#lines?.counter.end() ?? plainStructure(this.#structure),
    };
  }
}

function plainStructure(structure: StructureKind): TextStructure {
  if (structure.kind === "config" || structure.kind === "xml") return structure;
  return { kind: "prose" };
}
