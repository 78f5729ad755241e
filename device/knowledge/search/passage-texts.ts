import { zstdDecompressSync } from "node:zlib";
import { Redactor } from "../../../shared/privacy/redaction/redact.ts";
import { isListOfPasswords } from "../../access/policy/password-list.ts";
import { contentHash } from "../../files/content-hash.ts";
import { isProjectFilesError } from "../../files/errors.ts";
import type { ProjectFiles } from "../../files/project-files.ts";
import { textEncodingOf } from "../../files/text/text-encoding.ts";
import { extractionLimits, scanLimits } from "../../folders/scanner/limits.ts";
import { folded } from "../../store/sqlite/folded-text.ts";
import { passagesOf } from "../text/passages.ts";
import type { FoundDocument, FoundPassage } from "./index/index-rows.ts";

/** A passage as it stands in its file now, without credentials. */
export interface PassageText {
  readonly heading: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
  /** The file is another than the one that was indexed; the place is where the words stand now. */
  readonly hasChanged: boolean;
}

/**
 * Reads passages from the files they are in, each file once. The text shown is always that of the file: an index that is
 * behind finds the wrong place, never a wrong quotation.
 */
export class PassageTexts {
  readonly #files: ProjectFiles;
  readonly #keptText: (document: FoundDocument) => Uint8Array | undefined;
  readonly #redactor: Redactor;
  readonly #read = new Map<string, Promise<ReadText | undefined>>();

  constructor(
    files: ProjectFiles,
    keptText: (document: FoundDocument) => Uint8Array | undefined,
    redactor = new Redactor(),
  ) {
    this.#files = files;
    this.#keptText = keptText;
    this.#redactor = redactor;
  }

  /** Undefined when the file is gone or cannot be read. @param words of the question, for a file that has changed */
  async of(document: FoundDocument, passage: FoundPassage, words: readonly string[]): Promise<PassageText | undefined> {
    const found = this.#read.get(document.path) ?? this.#load(document);
    this.#read.set(document.path, found);
    const read = await found;
    if (read === undefined) return undefined;
    const { hasChanged, text } = read;
    const place = hasChanged ? (bestPlace(text, words) ?? passage) : passage;
    const { heading, startLine, endLine } = place;
    return { heading, startLine, endLine, text: text.slice(place.start, place.end).toWellFormed(), hasChanged };
  }

  async #load(document: FoundDocument): Promise<ReadText | undefined> {
    try {
      const kept = this.#keptText(document);
      if (kept !== undefined) {
        const { sizeBytes, mtimeMs } = await this.#files.metadata(document.path);
        if (sizeBytes !== document.sizeBytes || mtimeMs !== document.mtimeMs) return undefined;
        return { text: zstdDecompressSync(kept, { maxOutputLength: maxKeptBytes }).toString(), hasChanged: false };
      }
      const bytes = await this.#files.read(document.path, { maxBytes: scanLimits.maxFileBytes });
      const encoding = textEncodingOf(bytes);
      // What it was read as is no leave to show what it has become.
      if (encoding === undefined || isListOfPasswords(bytes)) return undefined;
      const decoded = new TextDecoder(encoding.label).decode(bytes).slice(0, extractionLimits.maxTextChars);
      const { text } = this.#redactor.redact(decoded.toWellFormed());
      return { text, hasChanged: contentHash(bytes) !== document.hash };
    } catch (error) {
      if (!isProjectFilesError(error)) throw error;
      // Gone, too large by now, or not readable any more: then it is not found.
      return undefined;
    }
  }
}

const maxKeptBytes = extractionLimits.maxTextChars * 4;

interface ReadText {
  readonly text: string;
  readonly hasChanged: boolean;
}

/** The passage that holds most of the words. */
function bestPlace(text: string, words: readonly string[]) {
  const wanted = words.map(folded);
  let best: ReturnType<typeof passagesOf>[number] | undefined;
  let most = 0;
  for (const passage of passagesOf(text, "prose")) {
    const held = folded(text.slice(passage.start, passage.end));
    const count = wanted.filter((word) => held.includes(word)).length;
    if (count > most) [best, most] = [passage, count];
  }
  return best;
}
