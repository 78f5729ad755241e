import {
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { createPresignedPost } from "@aws-sdk/s3-presigned-post";
import { type ObjectKey, objectKey, type UploadRef } from "../../events/payload.ts";
import type { Objects, Upload } from "../ports/objects.ts";
import { answeredInTime } from "./answered-in-time.ts";
import { awsFailure } from "./failures.ts";

/** S3 takes so many keys in one `DeleteObjects`. */
const deleteSize = 1000;

/** {@link Objects} in the bucket for payloads in transit. */
export class TransitBucket implements Objects {
  readonly #bucket: string;
  readonly #client: S3Client;

  constructor(bucket: string, client: S3Client = new S3Client(answeredInTime())) {
    this.#bucket = bucket;
    this.#client = client;
  }

  async offer(ref: UploadRef, forSeconds: number): Promise<Upload> {
    try {
      const { url, fields } = await createPresignedPost(this.#client, {
        Bucket: this.#bucket,
        Key: ref.key,
        // A presigned POST is the only way in S3 to bound the size of what somebody else uploads.
        Conditions: [["content-length-range", ref.bytes, ref.bytes]],
        Expires: forSeconds,
      });
      return { ref, url, fields };
    } catch (error) {
      throw awsFailure(error, "storage_unavailable");
    }
  }

  async get(key: ObjectKey): Promise<Uint8Array | undefined> {
    try {
      const found = await this.#client.send(new GetObjectCommand({ Bucket: this.#bucket, Key: key }));
      return await found.Body?.transformToByteArray();
    } catch (error) {
      if (error instanceof NoSuchKey) return undefined;
      throw awsFailure(error, "storage_unavailable");
    }
  }

  async put(key: ObjectKey, bytes: Uint8Array): Promise<void> {
    try {
      await this.#client.send(new PutObjectCommand({ Bucket: this.#bucket, Key: key, Body: bytes }));
    } catch (error) {
      throw awsFailure(error, "storage_unavailable");
    }
  }

  async delete(keys: readonly ObjectKey[]): Promise<void> {
    for (let start = 0; start < keys.length; start += deleteSize) {
      const Objects = keys.slice(start, start + deleteSize).map((Key) => ({ Key }));
      let failed: number;
      try {
        const answer = await this.#client.send(
          new DeleteObjectsCommand({ Bucket: this.#bucket, Delete: { Objects, Quiet: true } }),
        );
        failed = answer.Errors?.length ?? 0;
      } catch (error) {
        throw awsFailure(error, "storage_unavailable");
      }
      if (failed > 0) throw awsFailure(new Error("DeleteObjects was not done in full"), "storage_unavailable");
    }
  }

  async deleteUnder(prefix: string): Promise<number> {
    let deleted = 0;
    for (;;) {
      // Always the first page: what it named is gone by the next round.
      const keys = await this.#list(prefix);
      if (keys.length === 0) return deleted;
      await this.delete(keys);
      deleted += keys.length;
    }
  }

  async #list(prefix: string): Promise<readonly ObjectKey[]> {
    try {
      const page = await this.#client.send(new ListObjectsV2Command({ Bucket: this.#bucket, Prefix: prefix }));
      return (page.Contents ?? []).map(({ Key }) => objectKey.parse(Key));
    } catch (error) {
      throw awsFailure(error, "storage_unavailable");
    }
  }
}
