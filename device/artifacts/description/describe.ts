import { createHash } from "node:crypto";
import { type ContentHint, extensionOf, headBytes, sniffContent } from "../sniff/content-kind.ts";
import { binaryEngine, type Engine, textEngine } from "../stats/engines.ts";
import type { ArtifactStats } from "../stats/stats.ts";

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
  /** Not given to an engine yet: first until the kind is known, then until it is worth a call. Engines keep no part of it. */
  readonly #pending = Buffer.allocUnsafeSlow(headBytes);
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
    for (let at = 0; at < bytes.length; ) {
      if (this.#engine !== undefined && this.#pendingBytes === 0 && bytes.length - at >= headBytes) {
        this.#engine.write(at === 0 ? bytes : bytes.subarray(at));
        return;
      }
      const copied = bytes.copy(this.#pending, this.#pendingBytes, at);
      this.#pendingBytes += copied;
      at += copied;
      if (this.#pendingBytes === headBytes) this.#flush(false);
    }
  }

  end(): Description {
    const { stats, contentType, extension, previewText } = this.#flush(true).end();
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

  #flush(isWhole: boolean): Engine {
    const bytes = this.#pending.subarray(0, this.#pendingBytes);
    this.#pendingBytes = 0;
    const engine = this.#engine ?? this.#startEngine(bytes, isWhole);
    this.#engine = engine;
    if (bytes.length > 0) engine.write(bytes);
    return engine;
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
