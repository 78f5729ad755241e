import type { BucketAddress } from "../../place/bucket-address.ts";
import type {
  GetOptions,
  ListedObject,
  ObjectHead,
  ObjectStorage,
  PutOptions,
  StoredObject,
} from "./object-storage.ts";

/** A bucket by its address, reached when it is first asked: a program that uses none does not load Amazon's SDK. */
export class LazyBucket implements ObjectStorage {
  readonly #address: BucketAddress;
  #storage: Promise<ObjectStorage> | undefined;

  constructor(address: BucketAddress) {
    this.#address = address;
  }

  async get(key: string, options?: GetOptions): Promise<StoredObject | undefined> {
    return (await this.#opened()).get(key, options);
  }

  async head(key: string): Promise<ObjectHead | undefined> {
    return (await this.#opened()).head(key);
  }

  async put(key: string, bytes: Uint8Array, options: PutOptions): Promise<string | undefined> {
    return (await this.#opened()).put(key, bytes, options);
  }

  async delete(key: string, ifMatch?: string): Promise<boolean> {
    return (await this.#opened()).delete(key, ifMatch);
  }

  async *list(prefix: string, limit?: number): AsyncIterable<ListedObject> {
    yield* (await this.#opened()).list(prefix, limit);
  }

  #opened(): Promise<ObjectStorage> {
    this.#storage ??= open(this.#address);
    return this.#storage;
  }
}

async function open(address: BucketAddress): Promise<ObjectStorage> {
  const [{ ProjectBucket }, { bucketClient }] = await Promise.all([
    import("./project-bucket.ts"),
    import("./bucket-client.ts"),
  ]);
  return new ProjectBucket(address.bucket, await bucketClient(address));
}
