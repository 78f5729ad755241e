import { createHmac } from "node:crypto";
import type { Redactor } from "../../../shared/privacy/redaction/redact.ts";
import { parseDocument } from "../edits/lines/document.ts";
import { isAccessError } from "../errors.ts";

const maxRemembered = 2_000;

/** A content that may be meant: its SHA-256, and its bytes where they are at hand. */
export interface NamedContent {
  readonly hash: string;
  readonly bytes?: Uint8Array | undefined;
}

/**
 * How contents are called in answers. A text without credentials by its SHA-256. All others by a keyed hash that holds for
 * this run of the program: whoever knows everything but a short password could try passwords against a SHA-256.
 */
export class ContentNames {
  readonly #redactor: Redactor;
  readonly #kept: (hash: string) => Uint8Array | undefined;
  readonly #key: Uint8Array;
  readonly #isOpen = new Map<string, boolean>();

  /**
   * @param kept content by its hash, where history has it
   * @param key that names are made by
   */
  constructor(redactor: Redactor, kept: (hash: string) => Uint8Array | undefined, key: Uint8Array) {
    this.#redactor = redactor;
    this.#kept = kept;
    this.#key = createHmac("sha256", key).update("names of contents").digest();
  }

  nameOf(content: NamedContent): string {
    return this.#holdsNoCredentials(content) ? content.hash : this.#keyed(content.hash);
  }

  /** The hash of the content a caller names; undefined when it is none of these. */
  hashOf(name: string, candidates: Iterable<NamedContent>): string | undefined {
    for (const content of candidates) {
      if (this.#keyed(content.hash) === name) return content.hash;
      if (content.hash === name && this.#holdsNoCredentials(content)) return content.hash;
    }
    return undefined;
  }

  #keyed(hash: string): string {
    return createHmac("sha256", this.#key).update(hash).digest("hex");
  }

  #holdsNoCredentials({ hash, bytes }: NamedContent): boolean {
    const known = this.#isOpen.get(hash);
    if (known !== undefined) return known;
    const content = bytes ?? this.#kept(hash);
    if (content === undefined) return false;
    const isOpen = this.#isText(content);
    const [oldest] = this.#isOpen.keys();
    if (this.#isOpen.size >= maxRemembered && oldest !== undefined) this.#isOpen.delete(oldest);
    this.#isOpen.set(hash, isOpen);
    return isOpen;
  }

  /** False for what is no text as well: nobody has looked into it. */
  #isText(bytes: Uint8Array): boolean {
    try {
      const text = parseDocument(bytes).lines.map((line) => line.text + line.ending);
      return this.#redactor.redact(text.join("")).count === 0;
    } catch (error) {
      if (isAccessError(error, "binary_file")) return false;
      throw error;
    }
  }
}
