import { type BinaryFormat, zipFlavour } from "../../sniff/magic.ts";
import type { BinaryStats } from "../stats.ts";
import { gzipName, tarEntries, zipEntries, zipTailBytes } from "./archive-facts.ts";
import { ForwardReading } from "./byte-windows.ts";
import { imageReaders } from "./image-facts.ts";
import { PdfFactsEngine } from "./pdf-facts.ts";

/** Facts about a binary file in one pass. `end` also says what a ZIP turned out to be. */
export class BinaryStatsEngine {
  readonly #format: BinaryFormat | undefined;
  readonly #head: Buffer;
  readonly #image: ForwardReading<{ width: number; height: number } | undefined> | undefined;
  readonly #tar: ForwardReading<{ entries?: number; names: readonly string[] }> | undefined;
  readonly #pdf: PdfFactsEngine | undefined;
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #bytes = 0;

  constructor(format: BinaryFormat | undefined, head: Buffer) {
    this.#format = format;
    this.#head = head;
    const name = format?.format ?? "";
    const reader = isImage(name) ? imageReaders[name] : undefined;
    this.#image = reader && new ForwardReading(reader());
    this.#tar = name === "tar" ? new ForwardReading(tarEntries()) : undefined;
    this.#pdf = name === "pdf" ? new PdfFactsEngine() : undefined;
  }

  write(piece: Buffer): void {
    this.#bytes += piece.length;
    this.#image?.write(piece);
    this.#tar?.write(piece);
    this.#pdf?.write(piece);
    if (this.#format?.format === "zip") this.#keepTail(piece);
  }

  end(): { stats: BinaryStats; format: BinaryFormat | undefined } {
    const isZip = this.#format?.format === "zip";
    const tail = isZip ? Buffer.concat(this.#tail).subarray(-zipTailBytes) : undefined;
    const zip = tail && zipEntries(tail, this.#bytes);
    const names = Buffer.from(zip?.names.join("\n") ?? "");
    const format = (isZip && zipFlavour(Buffer.concat([this.#head, names]))) || this.#format;
    const image = this.#image?.end();
    const pdf = this.#pdf?.end();
    const archive = zip ?? this.#tar?.end() ?? (format?.format === "gzip" ? gzipName(this.#head) : undefined);
    const stats: BinaryStats = {
      kind: "binary",
      format: format?.format ?? "unknown",
      ...(image && { image }),
      ...(pdf && { pdf }),
      ...(archive && { archive: { ...archive, names: [...archive.names] } }),
    };
    return { stats, format };
  }

  #keepTail(piece: Buffer): void {
    this.#tail.push(Buffer.from(piece.subarray(-zipTailBytes)));
    this.#tailBytes += piece.length;
    if (this.#tailBytes < 4 * zipTailBytes) return;
    const kept = Buffer.concat(this.#tail).subarray(-zipTailBytes);
    this.#tail = [Buffer.from(kept)];
    this.#tailBytes = kept.length;
  }
}

const isImage = (format: string): format is keyof typeof imageReaders => Object.hasOwn(imageReaders, format);
