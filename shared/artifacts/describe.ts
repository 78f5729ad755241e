import { createHash } from "node:crypto";
import { type ContentHint, extensionOf, headBytes, sniffContent } from "./sniff/content-kind.ts";
import { binaryEngine, type Engine, textEngine } from "./stats/engines.ts";
import type { ArtifactStats } from "./stats/stats.ts";

/** Everything one pass over content gives. */
export interface Description {
  readonly sizeBytes: number;
  /** SHA-256, hex. */
  readonly checksum: string;
  readonly contentType: string;
  /** Of a file name, without the dot. */
  readonly extension: string;
  readonly stats: ArtifactStats;
  /** Of a text: a label of the Encoding Standard. */
  readonly encoding?: string;
  /** What a preview is made of: the beginning as text, the main text of HTML, nothing of a binary. */
  readonly headText: string;
}

/** Looks at content that comes in pieces: write each, then `end`. Memory does not grow with the content. */
export class ContentDescriber {
  readonly #hint: ContentHint;
  readonly #hash = createHash("sha256");
  #sizeBytes = 0;
  /** Pieces not given to an engine yet: first until the kind is known, then until they are worth a call. */
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #engine: Engine | undefined;
  #head = "";
  #encoding: string | undefined;

  constructor(hint: ContentHint = {}) {
    this.#hint = hint;
  }

  write(piece: Uint8Array): void {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    this.#hash.update(bytes);
    this.#sizeBytes += bytes.length;
    if (this.#engine !== undefined && this.#pendingBytes === 0 && bytes.length >= headBytes) {
      this.#engine.write(bytes);
      return;
    }
    this.#pending.push(Buffer.from(bytes));
    this.#pendingBytes += bytes.length;
    if (this.#pendingBytes >= headBytes) this.#flush(false);
  }

  end(): Description {
    this.#flush(true);
    const { stats, contentType, extension, previewText } = this.#started().end();
    return {
      sizeBytes: this.#sizeBytes,
      checksum: this.#hash.digest("hex"),
      contentType,
      extension,
      stats,
      ...(this.#encoding !== undefined && { encoding: this.#encoding }),
      headText: previewText ?? this.#head,
    };
  }

  #started(): Engine {
    this.#engine ??= this.#startEngine(Buffer.alloc(0), true);
    return this.#engine;
  }

  #flush(isWhole: boolean): void {
    const bytes = Buffer.concat(this.#pending);
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#engine ??= this.#startEngine(bytes.subarray(0, headBytes), isWhole && bytes.length <= headBytes);
    if (bytes.length > 0) this.#engine.write(bytes);
  }

  #startEngine(head: Buffer, isWhole: boolean): Engine {
    const content = sniffContent(head, this.#hint, isWhole);
    if (content.kind === "binary") return binaryEngine(content.format, head);
    const { label, bomBytes } = content.encoding;
    this.#encoding = label;
    this.#head = new TextDecoder(label).decode(head.subarray(bomBytes), { stream: !isWhole });
    return textEngine(content, this.#head, extensionOf(this.#hint));
  }
}
