import { createHash } from "node:crypto";
import { isProjectFilesError } from "../../files/errors.ts";
import { unicodeOf } from "../../files/text/text-encoding.ts";
import { TextPlacer, type TextPlaces } from "../../files/text/text-places.ts";
import { ArtifactError } from "../errors.ts";
import type { FileMetadata } from "../metadata.ts";
import type { ArtifactFiles } from "./packed-files.ts";

const blockBytes = 256 * 1024;
/** Files whose checks are remembered. */
const maxRemembered = 256;

/**
 * Reads artifacts, each held to its checksum first. A check holds until the file system says that the file may have
 * changed.
 */
export class VerifiedFiles {
  cacheHits = 0;
  cacheMisses = 0;
  readonly #files: ArtifactFiles;
  readonly #checked = new Map<string, { version: string; checksum: string; places: TextPlaces | undefined }>();

  constructor(files: ArtifactFiles) {
    this.#files = files;
  }

  /** @throws ArtifactError `not_found`, `corrupt`, `store_unavailable` */
  async read(metadata: FileMetadata, startByte = 0, endByte = metadata.sizeBytes): Promise<Buffer> {
    await this.places(metadata);
    return this.#range(metadata.path, startByte, Math.min(endByte, metadata.sizeBytes));
  }

  /** Where in a text things are, as checking it has found out; none for what is no text. @throws ArtifactError as `read` */
  async places(metadata: FileMetadata): Promise<TextPlaces | undefined> {
    const { version, sizeBytes } = await attempt(() => this.#files.metadata(metadata.path));
    const known = this.#checked.get(metadata.path);
    if (known?.version === version) {
      this.cacheHits++;
      if (known.checksum === metadata.checksum) return known.places;
      throw new ArtifactError("corrupt", { detail: "Its checksum differs." });
    }
    this.cacheMisses++;
    if (sizeBytes !== metadata.sizeBytes) {
      throw new ArtifactError("corrupt", { detail: `It has ${sizeBytes} bytes and had ${metadata.sizeBytes}.` });
    }
    const places = await this.#check(metadata);
    const after = await attempt(() => this.#files.metadata(metadata.path));
    if (after.version !== version) throw new ArtifactError("corrupt", { detail: "It is being changed." });
    if (this.#checked.size >= maxRemembered) {
      for (const oldest of this.#checked.keys()) {
        this.#checked.delete(oldest);
        break;
      }
    }
    this.#checked.set(metadata.path, { version, checksum: metadata.checksum, places });
    return places;
  }

  async #check({ path, sizeBytes, checksum, encoding }: FileMetadata): Promise<TextPlaces | undefined> {
    const hash = createHash("sha256");
    let placer: TextPlacer | undefined;
    for (let start = 0; start < sizeBytes; start += blockBytes) {
      const block = await this.#range(path, start, start + blockBytes);
      hash.update(block);
      if (encoding === undefined) continue;
      placer ??= new TextPlacer({ label: encoding, bomBytes: bomBytesOf(block) });
      placer.add(block);
    }
    if (hash.digest("hex") !== checksum) throw new ArtifactError("corrupt", { detail: "Its checksum differs." });
    return placer?.finish();
  }

  async #range(path: string, startByte: number, endByte: number): Promise<Buffer> {
    const bytes = await attempt(() => this.#files.read(path, { range: { startByte, endByte } }));
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
}

function bomBytesOf(head: Uint8Array): number {
  const found = unicodeOf(head, false);
  return found === undefined || found === "binary" ? 0 : found.bomBytes;
}

/** Failures of the files as failures of artifacts. */
export async function attempt<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (cause) {
    if (isProjectFilesError(cause, "NotFound", "NotADirectory", "NotAFile", "InvalidPath", "OutsideRoot")) {
      throw new ArtifactError("not_found", { cause });
    }
    if (isProjectFilesError(cause, "PatternRefused")) {
      throw new ArtifactError("pattern_refused", { detail: `${cause.detail ?? cause.sentence}.`, cause });
    }
    if (isProjectFilesError(cause, "Cancelled")) throw new ArtifactError("cancelled", { cause });
    if (isProjectFilesError(cause)) throw new ArtifactError("store_unavailable", { detail: `${cause.code}.`, cause });
    throw cause;
  }
}
