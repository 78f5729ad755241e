import { zstdDecompressSync } from "node:zlib";
import { isDeviceError } from "../../errors.ts";
import type { FileMetadata } from "../../files/file-metadata.ts";
import type { ProjectFiles, ReadOptions, StreamingFiles, WriteOptions } from "../../files/project-files.ts";
import type { BlockCipher } from "../../vault/sealed-box.ts";
import type { Vault } from "../../vault/vault.ts";
import { ArtifactError } from "../errors.ts";
import {
  blockBytes,
  headOf,
  type Layout,
  layoutOf,
  maxHeadBytes,
  packed,
  parseHead,
  tailBytes,
} from "./packed-format.ts";

/** What artifacts need of files. */
export type ArtifactFiles = Pick<
  ProjectFiles,
  "read" | "write" | "exists" | "metadata" | "listDir" | "walk" | "delete" | "rename"
>;

/** Layouts that are remembered. */
const maxRemembered = 64;

/**
 * Files compressed, and encrypted while there is a passphrase, block by block: so that a part of a large one is read without the
 * rest. Sizes and ranges are those of the content. A file that was not written by this is given as it stands.
 *
 * Beside what the files throw: ArtifactError `locked`, `corrupt`.
 */
export class PackedFiles implements ArtifactFiles, StreamingFiles {
  readonly #files: ArtifactFiles & StreamingFiles;
  readonly #vault: Vault;
  readonly #layouts = new Map<string, { readonly version: string; readonly layout: Layout | undefined }>();

  constructor(files: ArtifactFiles & StreamingFiles, vault: Vault) {
    this.#files = files;
    this.#vault = vault;
  }

  /** Encrypted, and the passphrase was not given. */
  get isLocked(): boolean {
    return this.#vault.state === "locked";
  }

  async read(path: string, { range, maxBytes }: ReadOptions = {}): Promise<Uint8Array> {
    const layout = await this.#layout(path);
    if (layout === undefined) {
      const given = { ...(range && { range }), ...(maxBytes !== undefined && { maxBytes }) };
      return this.#files.read(path, given);
    }
    const start = Math.min(range?.startByte ?? 0, layout.sizeBytes);
    const end = Math.min(range?.endByte ?? layout.sizeBytes, layout.sizeBytes);
    if (maxBytes !== undefined && end - start > maxBytes) throw new ArtifactError("too_large");
    if (end <= start) return Buffer.alloc(0);
    const [first, last] = [Math.floor(start / blockBytes), Math.floor((end - 1) / blockBytes)];
    const [from, to] = [layout.starts[first] ?? 0, layout.starts[last + 1] ?? 0];
    const stored = await this.#files.read(path, { range: { startByte: from, endByte: to } });
    const opener = this.#openerOf(layout);
    const blocks: Buffer[] = [];
    for (let at = first; at <= last; at++) {
      const block = stored.subarray((layout.starts[at] ?? 0) - from, (layout.starts[at + 1] ?? 0) - from);
      blocks.push(unpacked(block, at, opener));
    }
    return Buffer.concat(blocks).subarray(start - first * blockBytes, end - first * blockBytes);
  }

  async write(path: string, bytes: Uint8Array, options?: WriteOptions): Promise<void> {
    const pieces: Uint8Array[] = [];
    for await (const piece of packed([bytes], this.#vault.sealer())) pieces.push(piece);
    await this.#files.write(path, Buffer.concat(pieces), options);
  }

  create(path: string, pieces: AsyncIterable<Uint8Array>, options?: { mode?: number; replaces?: boolean }) {
    return this.#files.create(path, packed(pieces, this.#vault.sealer()), options);
  }

  async metadata(path: string): Promise<FileMetadata> {
    const found = await this.#files.metadata(path);
    const layout = found.kind === "file" ? await this.#layout(path, found) : undefined;
    return layout === undefined ? found : { ...found, sizeBytes: layout.sizeBytes };
  }

  /** Whether a file is stored as it would be if it were written now. */
  async isCurrent(path: string): Promise<boolean> {
    const layout = await this.#layout(path);
    return layout !== undefined && layout.head.isSealed === (this.#vault.sealer() !== undefined);
  }

  /** Stores a file as it would be if it were written now: the old one, or the new one, is there at every moment. */
  async renew(path: string): Promise<void> {
    const { sizeBytes } = await this.metadata(path);
    const read = (startByte: number) => this.read(path, { range: { startByte, endByte: startByte + blockBytes } });
    async function* pieces(): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < sizeBytes; at += blockBytes) yield await read(at);
    }
    await this.create(path, pieces(), { mode: 0o600, replaces: true });
  }

  exists: ArtifactFiles["exists"] = (path) => this.#files.exists(path);
  listDir: ArtifactFiles["listDir"] = (path) => this.#files.listDir(path);
  walk: ArtifactFiles["walk"] = (options) => this.#files.walk(options);
  delete: ArtifactFiles["delete"] = (path, options) => this.#files.delete(path, options);
  rename: ArtifactFiles["rename"] = (from, to) => this.#files.rename(from, to);

  async #layout(path: string, known?: FileMetadata): Promise<Layout | undefined> {
    const { version, sizeBytes } = known ?? (await this.#files.metadata(path));
    const remembered = this.#layouts.get(path);
    if (remembered?.version === version) return remembered.layout;
    const layout = await this.#readLayout(path, sizeBytes);
    if (this.#layouts.size >= maxRemembered) this.#layouts.clear();
    this.#layouts.set(path, { version, layout });
    return layout;
  }

  async #readLayout(path: string, storedBytes: number): Promise<Layout | undefined> {
    const range = (startByte: number, endByte: number) => this.#files.read(path, { range: { startByte, endByte } });
    const head = parseHead(await range(0, maxHeadBytes));
    if (head === undefined) return undefined;
    const tail = await range(Math.max(0, storedBytes - tailBytes), storedBytes);
    const layout = await layoutOf(head, headOf(head).length, tail, storedBytes, range);
    if (layout === undefined) throw new ArtifactError("corrupt", { detail: "Its end is missing." });
    return layout;
  }

  #openerOf({ head }: Layout): BlockCipher | undefined {
    if (!head.isSealed) return undefined;
    try {
      return this.#vault.opener(head.key);
    } catch (cause) {
      if (isDeviceError(cause, "kept_locked", "passphrase_wrong")) {
        throw new ArtifactError("locked", { recovery: cause.message, cause });
      }
      throw cause;
    }
  }
}

function unpacked(block: Uint8Array, place: number, opener: BlockCipher | undefined): Buffer {
  try {
    const compressed = opener === undefined ? block : opener.block(block, place);
    return zstdDecompressSync(compressed, { maxOutputLength: blockBytes });
  } catch (cause) {
    throw new ArtifactError("corrupt", { detail: "It cannot be unpacked.", cause });
  }
}
