import type { ObjectKey, UploadRef } from "../../events/payload.ts";
import type { Objects, Upload } from "../../shared/ports/objects.ts";

/** {@link Objects} in memory. Offers lead nowhere: what a device would post is put. */
export class MemoryObjects implements Objects {
  readonly stored = new Map<ObjectKey, Uint8Array>();

  async offer(ref: UploadRef, forSeconds: number): Promise<Upload> {
    return { ref, url: "https://bucket.example", fields: { key: ref.key, expires: String(forSeconds) } };
  }

  async get(key: ObjectKey): Promise<Uint8Array | undefined> {
    return this.stored.get(key)?.slice();
  }

  async put(key: ObjectKey, bytes: Uint8Array): Promise<void> {
    this.stored.set(key, bytes.slice());
  }

  async delete(keys: readonly ObjectKey[]): Promise<void> {
    for (const key of keys) this.stored.delete(key);
  }

  async deleteUnder(prefix: string): Promise<number> {
    const keys = [...this.stored.keys()].filter((key) => key.startsWith(prefix));
    await this.delete(keys);
    return keys.length;
  }
}
