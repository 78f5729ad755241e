import { createHash } from "node:crypto";
import type { Redacted, Redactor } from "../../../shared/privacy/redaction/redact.ts";
import type { FileMetadata } from "../../files/file-metadata.ts";
import type { ProjectFiles } from "../../files/project-files.ts";
import { PlacedText, type TextPart } from "../../files/text/placed-text.ts";
import { textEncodingOf } from "../../files/text/text-encoding.ts";
import { TextPlacer, type TextPlaces } from "../../files/text/text-places.ts";
import { AccessError } from "../errors.ts";

const blockBytes = 256 * 1024;
/** Text before a part in which is looked for what says that it is a credential: a key block is a few thousand characters. */
const unitsBefore = 128 * 1024;
const unitsAfter = 16 * 1024;
/** The beginning belongs to every part: a table says in its first row what its columns are. */
const headUnits = 16 * 1024;
const maxRemembered = 16;

/** A text file that is too large to be held as a whole; parts of it, without credentials. */
export class LargeText {
  /** SHA-256 of the whole file. */
  readonly hash: string;
  readonly #text: PlacedText;
  readonly #redactor: Redactor;

  constructor(hash: string, text: PlacedText, redactor: Redactor) {
    this.hash = hash;
    this.#text = text;
    this.#redactor = redactor;
  }

  get totalLines(): number {
    return this.#text.totalLines;
  }

  /** UTF-16 code units. */
  get totalUnits(): number {
    return this.#text.totalUnits;
  }

  get lineBreak(): "\n" | "\r" {
    return this.#text.places.lineBreak;
  }

  /** As it is in the file, credentials and all: to find out how far a part goes. @param line 1-based */
  fromLine(line: number, maxUnits: number): Promise<TextPart> {
    return this.#text.fromLine(line, maxUnits);
  }

  /** As {@link fromLine}, from a UTF-16 code unit on. */
  fromUnit(unit: number, maxUnits: number): Promise<TextPart> {
    return this.#text.fromUnit(unit, maxUnits);
  }

  /** The line a code unit stands in, 1-based. */
  lineOf(unit: number): Promise<number> {
    return this.#text.lineOf(unit);
  }

  /** A part as it may be shown: judged with the text around it and the beginning of the file. */
  async shown({ text, startUnit }: TextPart): Promise<Redacted> {
    const from = startUnit <= unitsBefore + headUnits ? 0 : startUnit - unitsBefore;
    const before = from === startUnit ? "" : (await this.#text.fromUnit(from, startUnit - from)).text;
    const after = (await this.#text.fromUnit(startUnit + text.length, unitsAfter)).text;
    const whole = from === 0 ? before : (await this.#head()) + this.#fromLineStart(before);
    return this.#redactor.redactPart(whole + text + after, whole.length, whole.length + text.length);
  }

  async #head(): Promise<string> {
    const { text } = await this.#text.fromUnit(0, headUnits);
    return text.slice(0, text.lastIndexOf(this.lineBreak) + 1);
  }

  /** Half a line below the first ones would be another row of their table. */
  #fromLineStart(text: string): string {
    return text.slice(text.indexOf(this.lineBreak) + 1);
  }
}

/** Large texts by path, found through once for each version of the file. */
export class LargeTexts {
  readonly #files: ProjectFiles;
  readonly #redactor: Redactor;
  readonly #known = new Map<string, { readonly version: string; readonly hash: string; readonly places: TextPlaces }>();

  constructor(files: ProjectFiles, redactor: Redactor) {
    this.#files = files;
    this.#redactor = redactor;
  }

  /**
   * @param path canonical
   * @throws AccessError `binary_file`, `conflict` when the file changes meanwhile; ProjectFilesError
   */
  async open(path: string, { version, sizeBytes }: FileMetadata): Promise<LargeText> {
    let known = this.#known.get(path);
    if (known?.version !== version) known = { version, ...(await this.#lookThrough(path, sizeBytes)) };
    await this.#refuseChanged(path, version);
    this.#known.delete(path);
    this.#known.set(path, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxRemembered && oldest !== undefined) this.#known.delete(oldest);
    const read = async (startByte: number, endByte: number) => {
      const bytes = await this.#files.read(path, { range: { startByte, endByte } });
      // What is read is what was looked through, or nothing.
      await this.#refuseChanged(path, version);
      return bytes;
    };
    return new LargeText(known.hash, new PlacedText(known.places, read), this.#redactor);
  }

  async #lookThrough(path: string, sizeBytes: number): Promise<{ hash: string; places: TextPlaces }> {
    const hash = createHash("sha256");
    let placer: TextPlacer | undefined;
    for (let startByte = 0; startByte < sizeBytes; startByte += blockBytes) {
      const block = await this.#files.read(path, { range: { startByte, endByte: startByte + blockBytes } });
      hash.update(block);
      placer ??= new TextPlacer(encodingOf(path, block));
      placer.add(block);
    }
    if (placer === undefined) throw changed(path);
    return { hash: hash.digest("hex"), places: placer.finish() };
  }

  async #refuseChanged(path: string, version: string): Promise<void> {
    if ((await this.#files.metadata(path)).version !== version) throw changed(path);
  }
}

function encodingOf(path: string, head: Uint8Array) {
  const encoding = textEncodingOf(head, false);
  if (encoding === undefined) throw new AccessError("binary_file", { path });
  return encoding;
}

const changed = (path: string) =>
  new AccessError("conflict", { path, detail: "It is being written. Read it again when that is done." });

/** A file that is too large to be held as a whole, and its canonical path. */
export interface LargeFile {
  readonly path: string;
  readonly text: LargeText;
}
