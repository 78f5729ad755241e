import { createHash } from "node:crypto";
import type {
  GetOptions,
  ListedObject,
  ObjectHead,
  ObjectStorage,
  PutOptions,
  StoredObject,
} from "../../device/files/backends/s3/object-storage.ts";
import { ProjectFilesError } from "../../device/files/errors.ts";

interface Kept extends StoredObject {
  mode: number;
}

/** S3's semantics, conditions included, which the embedded S3 engine does not know. */
export class MemoryObjectStorage implements ObjectStorage {
  readonly objects = new Map<string, Kept>();
  #puts = 0;

  async get(key: string, { range, maxBytes }: GetOptions = {}): Promise<StoredObject | undefined> {
    const kept = this.objects.get(key);
    const bytes = kept?.bytes.slice(range?.startByte, range?.endByte);
    if (maxBytes !== undefined && bytes !== undefined && bytes.length > maxBytes) {
      throw new ProjectFilesError("TooLarge", { path: key });
    }
    return kept && { ...kept, bytes: bytes ?? kept.bytes };
  }

  async head(key: string): Promise<ObjectHead | undefined> {
    return this.objects.get(key);
  }

  async put(key: string, bytes: Uint8Array, options: PutOptions): Promise<string | undefined> {
    const before = this.objects.get(key);
    if (options.ifMatch !== undefined && before?.etag !== options.ifMatch) return undefined;
    if (options.ifNoneMatch !== undefined && before !== undefined) return undefined;
    const etag = `"${createHash("md5").update(bytes).digest("hex")}-${++this.#puts}"`;
    const kept = { bytes: bytes.slice(), etag, sizeBytes: bytes.length, modifiedMs: Date.now(), mode: options.mode };
    this.objects.set(key, kept);
    return etag;
  }

  async delete(key: string, ifMatch?: string): Promise<boolean> {
    const before = this.objects.get(key);
    if (before !== undefined && ifMatch !== undefined && before.etag !== ifMatch) return false;
    this.objects.delete(key);
    return true;
  }

  async *list(prefix: string, limit = 1_000): AsyncIterable<ListedObject> {
    const prefixes = new Set<string>();
    let given = 0;
    for (const key of [...this.objects.keys()].sort()) {
      const kept = this.objects.get(key);
      if (kept === undefined || !key.startsWith(prefix) || given >= limit) continue;
      const slash = key.indexOf("/", prefix.length);
      if (slash === -1) {
        given++;
        yield { kind: "object", key, etag: kept.etag, sizeBytes: kept.sizeBytes, modifiedMs: kept.modifiedMs };
      } else if (!prefixes.has(key.slice(0, slash + 1))) {
        given++;
        prefixes.add(key.slice(0, slash + 1));
        yield { kind: "prefix", key: key.slice(0, slash + 1) };
      }
    }
  }
}
