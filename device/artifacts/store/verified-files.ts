import { createHash } from "node:crypto";
import { isProjectFilesError } from "../../files/errors.ts";
import type { ProjectFiles } from "../../files/project-files.ts";
import { ArtifactError } from "../errors.ts";
import type { FileMetadata } from "../metadata.ts";

export const blockBytes = 256 * 1024;
const newline = 0x0a;
/** Files whose checks are remembered. */
const maxRemembered = 256;

/** What checking a file found out on the way, for finding places in it. */
export interface PlaceIndex {
  /** Line feeds before each block of {@link blockBytes}, and in the whole file. */
  readonly newlines: readonly number[];
  /** UTF-16 code units before each block, and in the whole file, when it is read as UTF-8. */
  readonly units: readonly number[];
}

/**
 * Reads artifacts, each held to its checksum first. A check holds until the file system says that the file may have
 * changed.
 */
export class VerifiedFiles {
  cacheHits = 0;
  cacheMisses = 0;
  readonly #files: ProjectFiles;
  readonly #checked = new Map<string, { version: string; checksum: string; index: PlaceIndex }>();

  constructor(files: ProjectFiles) {
    this.#files = files;
  }

  /** @throws ArtifactError `not_found`, `corrupt`, `store_unavailable` */
  async read(metadata: FileMetadata, startByte = 0, endByte = metadata.sizeBytes): Promise<Buffer> {
    await this.index(metadata);
    return this.#range(metadata.path, startByte, Math.min(endByte, metadata.sizeBytes));
  }

  /** @throws ArtifactError `not_found`, `corrupt`, `store_unavailable` */
  async index(metadata: FileMetadata): Promise<PlaceIndex> {
    const { version, sizeBytes } = await attempt(() => this.#files.metadata(metadata.path));
    const known = this.#checked.get(metadata.path);
    if (known?.version === version) {
      this.cacheHits++;
      if (known.checksum === metadata.checksum) return known.index;
      throw new ArtifactError("corrupt", { detail: "Its checksum differs." });
    }
    this.cacheMisses++;
    if (sizeBytes !== metadata.sizeBytes) {
      throw new ArtifactError("corrupt", { detail: `It has ${sizeBytes} bytes and had ${metadata.sizeBytes}.` });
    }
    const index = await this.#check(metadata);
    const after = await attempt(() => this.#files.metadata(metadata.path));
    if (after.version !== version) throw new ArtifactError("corrupt", { detail: "It is being changed." });
    if (this.#checked.size >= maxRemembered) {
      for (const oldest of this.#checked.keys()) {
        this.#checked.delete(oldest);
        break;
      }
    }
    this.#checked.set(metadata.path, { version, checksum: metadata.checksum, index });
    return index;
  }

  async #check({ path, sizeBytes, checksum }: FileMetadata): Promise<PlaceIndex> {
    const hash = createHash("sha256");
    const [newlines, units] = [[0], [0]];
    let [lines, characters] = [0, 0];
    for (let start = 0; start < sizeBytes; start += blockBytes) {
      const block = await this.#range(path, start, start + blockBytes);
      hash.update(block);
      for (let at = 0; at < block.length; at++) {
        const byte = block[at] ?? 0;
        if (byte === newline) lines++;
        // Every byte that begins a character, and once more for one outside the basic plane.
        if ((byte & 0xc0) !== 0x80) characters += byte >= 0xf0 ? 2 : 1;
      }
      newlines.push(lines);
      units.push(characters);
    }
    if (hash.digest("hex") !== checksum) throw new ArtifactError("corrupt", { detail: "Its checksum differs." });
    return { newlines, units };
  }

  async #range(path: string, startByte: number, endByte: number): Promise<Buffer> {
    const bytes = await attempt(() => this.#files.read(path, { range: { startByte, endByte } }));
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
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
      throw new ArtifactError("pattern_refused", { detail: cause.message, cause });
    }
    if (isProjectFilesError(cause, "Cancelled")) throw new ArtifactError("cancelled", { cause });
    if (isProjectFilesError(cause)) throw new ArtifactError("store_unavailable", { detail: `${cause.code}.`, cause });
    throw cause;
  }
}
