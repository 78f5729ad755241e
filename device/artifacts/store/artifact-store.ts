import { isProjectFilesError, ProjectFilesError } from "../../files/errors.ts";
import { KeyedLock } from "../../files/keyed-lock.ts";
import { takesPieces } from "../../files/project-files.ts";
import { PlacedText } from "../../files/text/placed-text.ts";
import type { TimeAndIds } from "../../time-and-ids.ts";
import { ContentDescriber, type Description } from "../description/describe.ts";
import { ArtifactError, isArtifactError } from "../errors.ts";
import { type ArtifactOrigin, type FileMetadata, fileMetadata } from "../metadata.ts";
import { previewOf } from "../preview/preview.ts";
import type { ContentHint } from "../sniff/content-kind.ts";
import type { Content } from "./content.ts";
import {
  type ArtifactLayout,
  artifactBase,
  artifactRoot,
  incomingRoot,
  isArtifactId,
  metadataSuffix,
  safeExtension,
} from "./naming.ts";
import { type ArtifactFiles, PackedFiles } from "./packed-files.ts";
import { attempt, VerifiedFiles } from "./verified-files.ts";

export interface ArtifactStoreOptions extends TimeAndIds {
  readonly files: ArtifactFiles;
  readonly layout?: ArtifactLayout;
  readonly previewTokens?: number;
  /** Content for a backend that takes a file only as a whole may be this long. */
  readonly maxBufferedBytes?: number;
}

/** Permission bits of artifacts: they are one person's. */
const privateMode = 0o600;
const maxVariants = 1_000;
const maxMetadataBytes = 4 * 1024 * 1024;

/** What became of an artifact's content since it was stored. */
export type ArtifactState = "stored" | "missing" | "corrupt";

/** Artifacts as files over any `ProjectFiles`: content, and beside it what is known about it. */
export class ArtifactStore {
  readonly files: ArtifactFiles;
  readonly verified: VerifiedFiles;
  readonly #layout: ArtifactLayout;
  readonly #now: () => number;
  readonly #newId: () => string;
  readonly #previewTokens: number;
  readonly #maxBufferedBytes: number;
  /** Not every backend can refuse a name that is taken at the same moment. */
  readonly #naming = new KeyedLock();

  constructor(options: ArtifactStoreOptions) {
    this.files = options.files;
    this.verified = new VerifiedFiles(options.files);
    this.#layout = options.layout ?? "thread";
    this.#now = options.now;
    this.#newId = options.newId;
    this.#previewTokens = options.previewTokens ?? 400;
    this.#maxBufferedBytes = options.maxBufferedBytes ?? 256 * 1024 * 1024;
  }

  /** What is stored cannot be read: it is encrypted, and the passphrase was not given. */
  get isLocked(): boolean {
    return this.files instanceof PackedFiles && this.files.isLocked;
  }

  /**
   * Stores content in one pass and says what it is. The same content of the same call is stored once; other content of the
   * same call gets a name of its own.
   * @throws ArtifactError `store_unavailable`, `too_large`, `template_invalid`; what `content.chunks` throws
   */
  async put(content: Content, origin: ArtifactOrigin, hint: ContentHint = {}): Promise<FileMetadata> {
    if (this.isLocked) throw new ArtifactError("store_unavailable", { detail: "They are encrypted and locked." });
    const createdAt = this.#now();
    const base = artifactBase(this.#layout, origin, createdAt);
    const incoming = `${incomingRoot}/${this.#newId()}`;
    try {
      const description = await this.#receive(incoming, content, hint);
      const preview = await previewOf(description, this.#previewTokens);
      const { headText: _, ...facts } = description;
      const extension = safeExtension(description.extension);
      const describe = (path: string): FileMetadata => {
        const { extension: __, ...kept } = facts;
        const id = path.slice(artifactRoot.length + 1);
        return { id, path, ...kept, preview, createdAt, origin, given: content.given };
      };
      return await this.#naming.run(base, () => this.#name(incoming, `${artifactRoot}/${base}`, extension, describe));
    } catch (error) {
      await this.#discard(incoming);
      throw asArtifactError(error);
    }
  }

  /** @throws ArtifactError `not_found`, `corrupt` (its description cannot be read), `store_unavailable` */
  async get(id: string): Promise<FileMetadata> {
    if (!isArtifactId(id)) throw new ArtifactError("not_found");
    const path = `${artifactRoot}/${id}`;
    const bytes = await attempt(() => this.files.read(path + metadataSuffix, { maxBytes: maxMetadataBytes }));
    const parsed = parseMetadata(bytes);
    if (parsed?.path !== path) throw new ArtifactError("corrupt", { detail: "Its description cannot be read." });
    return parsed;
  }

  /** Bytes of an artifact, held to its checksum. @throws ArtifactError `not_found`, `corrupt`, `store_unavailable` */
  async read(metadata: FileMetadata, startByte?: number, endByte?: number): Promise<Buffer> {
    return this.verified.read(metadata, startByte, endByte);
  }

  /** A text of which a part is read at a time; undefined for what is no text. @throws ArtifactError as `read` */
  async text(metadata: FileMetadata): Promise<PlacedText | undefined> {
    const places = await this.verified.places(metadata);
    return places && new PlacedText(places, (start, end) => this.read(metadata, start, end));
  }

  /** Whether the content is there, told by its size alone: whoever reads it is told by its checksum. */
  async stateOf({ path, sizeBytes }: Pick<FileMetadata, "path" | "sizeBytes">): Promise<ArtifactState> {
    try {
      const found = await this.files.metadata(path);
      return found.kind === "file" && found.sizeBytes === sizeBytes ? "stored" : "corrupt";
    } catch (error) {
      if (isProjectFilesError(error, "NotFound", "NotADirectory")) return "missing";
      if (isArtifactError(error, "corrupt")) return "corrupt";
      throw asArtifactError(error);
    }
  }

  /** What there is, by name alone, in order; nothing is read. @throws ArtifactError `store_unavailable` */
  async ids(): Promise<string[]> {
    const ids: string[] = [];
    if (!(await attempt(() => this.files.exists(artifactRoot)))) return ids;
    const walk = this.files.walk({ under: artifactRoot, ignoreRules: false, extensions: [metadataSuffix.slice(1)] });
    for await (const { path } of walk) ids.push(path.slice(artifactRoot.length + 1, -metadataSuffix.length));
    return ids;
  }

  /** Every artifact whose description can be read, in the order of their ids; `onBroken` hears of the others. */
  async *list(
    options: { globs?: readonly string[]; onBroken?: (path: string) => void } = {},
  ): AsyncGenerator<FileMetadata> {
    if (!(await attempt(() => this.files.exists(artifactRoot)))) return;
    const walk = this.files.walk({ under: artifactRoot, ignoreRules: false, extensions: [metadataSuffix.slice(1)] });
    for await (const { path } of walk) {
      let found: FileMetadata | undefined;
      try {
        found = parseMetadata(await this.files.read(path, { maxBytes: maxMetadataBytes }));
      } catch (error) {
        // Removed between the listing and now.
        if (isProjectFilesError(error, "NotFound")) continue;
        if (!isProjectFilesError(error) && !isArtifactError(error, "corrupt", "too_large")) throw error;
      }
      if (found !== undefined && found.path + metadataSuffix === path) yield found;
      else options.onBroken?.(path);
    }
  }

  /** Removes an artifact; one that is not there is removed already. @throws ArtifactError `store_unavailable` */
  async remove(metadata: Pick<FileMetadata, "path">): Promise<void> {
    for (const path of [metadata.path, metadata.path + metadataSuffix]) {
      try {
        await this.files.delete(path);
      } catch (error) {
        if (!isProjectFilesError(error, "NotFound", "NotADirectory")) throw asArtifactError(error);
      }
    }
  }

  /** Content under a name for the time being, looked at as it goes by. */
  async #receive(path: string, { chunks }: Content, hint: ContentHint): Promise<Description> {
    const describer = new ContentDescriber(hint);
    async function* watched(): AsyncGenerator<Uint8Array> {
      for await (const chunk of chunks) {
        describer.write(chunk);
        yield chunk;
      }
    }
    if (takesPieces(this.files)) await this.files.create(path, watched(), { mode: privateMode });
    else {
      const parts: Uint8Array[] = [];
      let total = 0;
      for await (const chunk of watched()) {
        total += chunk.length;
        if (total > this.#maxBufferedBytes) {
          throw new ArtifactError("too_large", { detail: `This store takes ${this.#maxBufferedBytes} bytes at once.` });
        }
        parts.push(chunk);
      }
      await this.files.write(path, Buffer.concat(parts), { ifVersion: null, mode: privateMode });
    }
    return describer.end();
  }

  /** Gives what is at `incoming` the first name that is free, or finds it there already. */
  async #name(
    incoming: string,
    base: string,
    extension: string,
    describe: (path: string) => FileMetadata,
  ): Promise<FileMetadata> {
    for (let variant = 1; variant <= maxVariants; variant++) {
      const path = variant === 1 ? `${base}.${extension}` : `${base}~${variant}.${extension}`;
      const metadata = describe(path);
      const existing = await this.#existing(path, metadata);
      if (existing === "other") continue;
      if (existing === "damaged") await this.#discard(path);
      if (existing === "free" || existing === "damaged") {
        try {
          await this.files.rename(incoming, path);
        } catch (error) {
          if (isProjectFilesError(error, "Conflict")) continue;
          throw error;
        }
      } else await this.#discard(incoming);
      if (typeof existing !== "string") return existing;
      await this.#describe(metadata);
      return metadata;
    }
    throw new ArtifactError("store_unavailable", { detail: "The call has given too many different results." });
  }

  async #existing(
    path: string,
    wanted: FileMetadata,
  ): Promise<FileMetadata | "free" | "other" | "same content" | "damaged"> {
    if (!(await this.files.exists(path))) return "free";
    try {
      // A description may be missing when a process died before it was written; the content says what it is.
      await this.verified.places({ ...wanted, path });
      return await this.get(path.slice(artifactRoot.length + 1));
    } catch (error) {
      if (isArtifactError(error, "not_found")) return "same content";
      if (!isArtifactError(error, "corrupt")) throw error;
      return (await this.#wasOnce(path, wanted)) ? "damaged" : "other";
    }
  }

  /** True when what is damaged now was the wanted content when it was stored. */
  async #wasOnce(path: string, wanted: FileMetadata): Promise<boolean> {
    try {
      return (await this.get(path.slice(artifactRoot.length + 1))).checksum === wanted.checksum;
    } catch (error) {
      if (isArtifactError(error, "not_found", "corrupt")) return false;
      throw error;
    }
  }

  async #describe(metadata: FileMetadata): Promise<void> {
    const bytes = Buffer.from(JSON.stringify(metadata));
    await this.files.write(metadata.path + metadataSuffix, bytes, { mode: privateMode });
  }

  async #discard(path: string): Promise<void> {
    await this.files.delete(path).catch((error: unknown) => {
      // Left for the clean-up, which also looks at what was never named.
      if (!isProjectFilesError(error)) throw error;
    });
  }
}

function parseMetadata(bytes: Uint8Array): FileMetadata | undefined {
  try {
    return fileMetadata.safeParse(JSON.parse(Buffer.from(bytes).toString("utf8"))).data;
  } catch {
    // No JSON: its reader says that it is damaged.
    return undefined;
  }
}

function asArtifactError(error: unknown): unknown {
  if (!(error instanceof ProjectFilesError)) return error;
  return new ArtifactError("store_unavailable", { detail: `${error.code}.`, cause: error });
}
