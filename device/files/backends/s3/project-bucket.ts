import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { ProjectFilesError } from "../../errors.ts";
import { BucketError } from "./bucket-error.ts";
import { bucketFailure, statusOf } from "./bucket-failure.ts";
import type {
  GetOptions,
  ListedObject,
  ObjectHead,
  ObjectStorage,
  PutOptions,
  StoredObject,
} from "./object-storage.ts";

/** User metadata that keeps permission bits, in octal: `x-amz-meta-mode: 755`. */
const modeField = "mode";
/** A body that breaks off is asked for so often in all: the SDK's own retries end where the body begins. */
const bodyAttempts = 3;

/** The object storage of `S3ProjectFiles` in a bucket that the person owns; never part of the deployed stack. */
export class ProjectBucket implements ObjectStorage {
  readonly #bucket: string;
  readonly #client: S3Client;

  constructor(bucket: string, client: S3Client) {
    this.#bucket = bucket;
    this.#client = client;
  }

  async get(key: string, { range, maxBytes }: GetOptions = {}): Promise<StoredObject | undefined> {
    // RFC 9110, 14.1.2: both ends of a byte range are included.
    const Range = range && `bytes=${range.startByte}-${range.endByte - 1}`;
    const command = { Bucket: this.#bucket, Key: key, ...(Range && { Range }) };
    for (let attempt = 1; ; attempt++) {
      try {
        const found = await this.#client.send(new GetObjectCommand(command));
        const head = headOf(found, key);
        if (maxBytes !== undefined && head.sizeBytes > maxBytes) {
          found.Body?.transformToWebStream().cancel();
          throw new ProjectFilesError("TooLarge", { path: key, detail: `${head.sizeBytes} bytes` });
        }
        const bytes = await bodyOf(found);
        if (bytes?.length === head.sizeBytes) return { ...head, bytes };
        if (attempt >= bodyAttempts) throw new BucketError("unreachable", { path: key });
      } catch (error) {
        // Begins behind the end of the object.
        if (statusOf(error) === 416) return { ...(await this.#headOrFail(key)), bytes: new Uint8Array() };
        return ifAbsent(error, key);
      }
    }
  }

  async #headOrFail(key: string): Promise<ObjectHead> {
    const head = await this.head(key);
    if (head === undefined) throw new ProjectFilesError("NotFound", { path: key });
    return head;
  }

  async head(key: string): Promise<ObjectHead | undefined> {
    try {
      return headOf(await this.#client.send(new HeadObjectCommand({ Bucket: this.#bucket, Key: key })), key);
    } catch (error) {
      return ifAbsent(error, key);
    }
  }

  /** Conditions: Amazon S3 User Guide, "Add preconditions to S3 operations with conditional requests". */
  async put(key: string, bytes: Uint8Array, options: PutOptions): Promise<string | undefined> {
    try {
      const stored = await this.#client.send(
        new PutObjectCommand({
          Bucket: this.#bucket,
          Key: key,
          Body: bytes,
          Metadata: { [modeField]: options.mode.toString(8) },
          ...(options.ifMatch !== undefined && { IfMatch: options.ifMatch }),
          ...(options.ifNoneMatch !== undefined && { IfNoneMatch: options.ifNoneMatch }),
        }),
      );
      return stored.ETag ?? "";
    } catch (error) {
      // If-Match on an object that is gone answers 404.
      if (isConditionFailed(error) || (options.ifMatch !== undefined && isAbsent(error))) {
        return hasTriedAgain(error) ? this.#etagOf(key, bytes) : undefined;
      }
      throw bucketFailure(error, key);
    }
  }

  /**
   * Whether a write was stored whose answer was lost:
   *
   *     PUT If-Match e1 ──▶ stored as e2 ──▶ answer lost ── the SDK asks again: PUT If-Match e1 ──▶ 412
   */
  async #etagOf(key: string, bytes: Uint8Array): Promise<string | undefined> {
    const stored = await this.get(key);
    return stored !== undefined && Buffer.compare(stored.bytes, bytes) === 0 ? stored.etag : undefined;
  }

  async delete(key: string, ifMatch?: string): Promise<boolean> {
    try {
      await this.#client.send(
        new DeleteObjectCommand({ Bucket: this.#bucket, Key: key, ...(ifMatch !== undefined && { IfMatch: ifMatch }) }),
      );
      return true;
    } catch (error) {
      if (isConditionFailed(error)) return hasTriedAgain(error) && (await this.head(key)) === undefined;
      if (isAbsent(error)) return true;
      throw bucketFailure(error, key);
    }
  }

  async *list(prefix: string, limit?: number): AsyncIterable<ListedObject> {
    let token: string | undefined;
    do {
      // Keys may hold characters that XML cannot: S3 then wants them asked for in URL encoding.
      const page = await this.#page(prefix, limit, token);
      for (const { Key, ETag = "", Size = 0, LastModified } of page.Contents ?? []) {
        if (Key === undefined) continue;
        // Some services list fractions of a second that they do not tell of a single object.
        const modifiedMs = Math.floor((LastModified?.getTime() ?? 0) / 1_000) * 1_000;
        yield { kind: "object", key: decodeKey(Key, page.EncodingType), etag: ETag, sizeBytes: Size, modifiedMs };
      }
      for (const { Prefix } of page.CommonPrefixes ?? []) {
        if (Prefix !== undefined) yield { kind: "prefix", key: decodeKey(Prefix, page.EncodingType) };
      }
      const next = page.NextContinuationToken;
      // The same page for ever would be a scan without end.
      if (next !== undefined && next === token) throw new BucketError("unreachable", { path: prefix });
      token = next;
    } while (token !== undefined);
  }

  async #page(prefix: string, limit: number | undefined, token: string | undefined) {
    try {
      const page = await this.#client.send(
        new ListObjectsV2Command({
          Bucket: this.#bucket,
          Prefix: prefix,
          Delimiter: "/",
          EncodingType: "url",
          ...(limit !== undefined && { MaxKeys: limit }),
          ...(token !== undefined && { ContinuationToken: token }),
        }),
      );
      // A page of another service would else be a bucket without anything in it.
      if (page.Name === undefined && page.IsTruncated === undefined) {
        throw new BucketError("unreachable", { path: prefix });
      }
      return page;
    } catch (error) {
      // Who has no such bucket says so; anybody else has no such address.
      if (statusOf(error) === 404 && error instanceof Error && error.name !== "NoSuchBucket") {
        throw new BucketError("unreachable", { path: prefix, cause: error });
      }
      throw bucketFailure(error, prefix);
    }
  }
}

interface HeadFields {
  ETag?: string | undefined;
  ContentLength?: number | undefined;
  LastModified?: Date | undefined;
  Metadata?: Record<string, string> | undefined;
}

function headOf(fields: HeadFields, key: string): ObjectHead {
  const { ETag, ContentLength = 0, LastModified, Metadata } = fields;
  if (ETag === undefined) throw new ProjectFilesError("StorageFailed", { path: key, detail: "no etag" });
  const mode = Number.parseInt(Metadata?.[modeField] ?? "", 8);
  return {
    etag: ETag,
    sizeBytes: ContentLength,
    modifiedMs: LastModified?.getTime() ?? 0,
    mode: Number.isNaN(mode) ? undefined : mode & 0o7777,
  };
}

/** In S3's URL encoding a space is `+`. */
function decodeKey(key: string, encoding: string | undefined): string {
  return encoding === "url" ? decodeURIComponent(key.replaceAll("+", " ")) : key;
}

/** Undefined when it broke off. */
async function bodyOf({ Body }: { Body?: { transformToByteArray(): Promise<Uint8Array> } | undefined }) {
  try {
    return (await Body?.transformToByteArray()) ?? new Uint8Array();
  } catch {
    // Whatever cut the connection, it is asked again.
    return undefined;
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && ["NotFound", "NoSuchKey"].includes(error.name);
}

/** 412, and 409 when two conditional writes met. */
function isConditionFailed(error: unknown): boolean {
  return [409, 412].includes(statusOf(error) ?? 0);
}

const hasTriedAgain = (error: unknown): boolean =>
  error instanceof S3ServiceException && (error.$metadata.attempts ?? 1) > 1;

function ifAbsent(error: unknown, key: string): undefined {
  if (isAbsent(error)) return undefined;
  throw bucketFailure(error, key);
}
