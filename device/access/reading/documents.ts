import type { IndexedKind } from "../../../events/frames/folders.ts";
import { nameOf } from "../../files/paths/project-path.ts";
import { type ReadDocument, type ReadsDocuments, readDocument } from "../../folders/extraction/read-document.ts";
import { kindOfName } from "../../folders/scanner/kinds.ts";
import { maxBytesOf } from "../../folders/scanner/limits.ts";
import { skipReasons } from "../../folders/scanner/reasons.ts";
import type { FoundFile } from "../changes/file-on-disk.ts";
import { parseDocument, splitLines, type TextDocument } from "../edits/lines/document.ts";
import { AccessError } from "../errors.ts";
import { listOfPasswords } from "../policy/password-list.ts";

/** Tokens of a document's text, from its beginning, that can be paged through. */
const maxContentTokens = 100_000;
/** Pages of one document are asked for one after the other, and each reads it anew otherwise. */
const maxRemembered = 4;

/** The text of a document, line by line as the search index has it; `redactions` counts credentials taken out. */
export interface DocumentText {
  readonly document: TextDocument;
  readonly shownLines: readonly string[];
  readonly redactions: number;
}

export type ShownPicture = Extract<ReadDocument, { kind: "image" }>;

/** PDF, Word and pictures, by the readers that a scan and agents have. */
export class Documents {
  readonly #read: ReadsDocuments | undefined;
  readonly #known = new Map<string, ReadDocument>();

  /** @param read without it they are what they were: not text */
  constructor(read: ReadsDocuments | undefined) {
    this.#read = read;
  }

  /** How a file of that name is read; undefined for text, and where nobody reads anything else. */
  kindOf(path: string): Exclude<IndexedKind, "text"> | undefined {
    const kind = this.#read === undefined ? undefined : kindOfName(nameOf(path));
    return kind === "text" ? undefined : kind;
  }

  /** @throws AccessError `binary_file`: what is read of a document is not what is on the disk, so no edit can name it */
  refuseEdit(path: string): void {
    if (this.kindOf(path) === undefined) return;
    throw new AccessError("binary_file", { path, detail: "Documents and pictures are read, and not edited." });
  }

  /** @throws AccessError `too_large`, `denied` (a list of passwords), `binary_file` with the reason */
  async textOf(path: string, found: FoundFile): Promise<DocumentText | undefined> {
    const read = await this.#open(path, found);
    if (read === undefined) return undefined;
    if (read.kind === "image") {
      throw new AccessError("binary_file", { path, detail: "It is a picture: read_file gives it as one." });
    }
    const document = parseDocument(Buffer.from(read.text));
    const shownLines = splitLines(read.text).map(({ text, ending }) => text + ending);
    return { document, shownLines, redactions: read.redactions };
  }

  /** Undefined for what is no picture. @throws as {@link textOf} */
  async pictureOf(path: string, found: FoundFile): Promise<ShownPicture | undefined> {
    const read = this.kindOf(path) === "image" ? await this.#open(path, found) : undefined;
    return read?.kind === "image" ? read : undefined;
  }

  async #open(
    path: string,
    { bytes, hash }: FoundFile,
  ): Promise<Exclude<ReadDocument, { kind: "unreadable" }> | undefined> {
    const kind = this.kindOf(path);
    if (kind === undefined || this.#read === undefined) return undefined;
    const maxBytes = maxBytesOf(kind);
    if (bytes.length > maxBytes) {
      throw new AccessError("too_large", { path, detail: `Of this type, files of up to ${maxBytes} bytes are read.` });
    }
    const key = `${kind} ${hash}`;
    const read = this.#known.get(key) ?? (await readDocument({ kind, bytes, maxContentTokens }, this.#read));
    this.#remember(key, read);
    if (read.kind !== "unreadable") return read;
    if (read.reason === "password_export") throw new AccessError("denied", { path, detail: listOfPasswords });
    throw new AccessError("binary_file", {
      path,
      detail: `No text can be taken out of it: it is ${skipReasons[read.reason]}.`,
    });
  }

  #remember(key: string, read: ReadDocument): void {
    this.#known.delete(key);
    this.#known.set(key, read);
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxRemembered && oldest !== undefined) this.#known.delete(oldest);
  }
}
