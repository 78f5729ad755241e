import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { ProjectFilesError } from "../errors.ts";
import type { ListedObject, ObjectHead, ObjectStorage, PutOptions, StoredObject } from "./object-storage.ts";

/** User metadata that keeps permission bits, in octal: `x-amz-meta-mode: 755`. */
const modeField = "mode";

/** The object storage of `S3ProjectFiles` in a bucket that the person owns; never part of the deployed stack. */
export class ProjectBucket implements ObjectStorage {
  readonly #bucket: string;
  readonly #client: S3Client;

  constructor(bucket: string, client: S3Client = new S3Client({})) {
    this.#bucket = bucket;
    this.#client = client;
  }

  async get(key: string, range?: { startByte: number; endByte: number }): Promise<StoredObject | undefined> {
    // RFC 9110, 14.1.2: both ends of a byte range are included.
    const Range = range && `bytes=${range.startByte}-${range.endByte - 1}`;
    try {
      const found = await this.#client.send(
        new GetObjectCommand({ Bucket: this.#bucket, Key: key, ...(Range && { Range }) }),
      );
      const bytes = (await found.Body?.transformToByteArray()) ?? new Uint8Array();
      return { ...headOf(found, key), bytes };
    } catch (error) {
      return ifAbsent(error, key);
    }
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
      if (isConditionFailed(error) || (options.ifMatch !== undefined && isAbsent(error))) return undefined;
      throw failure(error, key);
    }
  }

  async delete(key: string, ifMatch?: string): Promise<boolean> {
    try {
      await this.#client.send(
        new DeleteObjectCommand({ Bucket: this.#bucket, Key: key, ...(ifMatch !== undefined && { IfMatch: ifMatch }) }),
      );
      return true;
    } catch (error) {
      if (isConditionFailed(error)) return false;
      if (isAbsent(error)) return true;
      throw failure(error, key);
    }
  }

  async *list(prefix: string, limit?: number): AsyncIterable<ListedObject> {
    let token: string | undefined;
    do {
      // Keys may hold characters that XML cannot: S3 then wants them asked for in URL encoding.
      const page = await this.#page(prefix, limit, token);
      for (const { Key, ETag = "", Size = 0, LastModified } of page.Contents ?? []) {
        if (Key === undefined) continue;
        const modifiedMs = LastModified?.getTime() ?? 0;
        yield { kind: "object", key: decodeKey(Key, page.EncodingType), etag: ETag, sizeBytes: Size, modifiedMs };
      }
      for (const { Prefix } of page.CommonPrefixes ?? []) {
        if (Prefix !== undefined) yield { kind: "prefix", key: decodeKey(Prefix, page.EncodingType) };
      }
      token = page.NextContinuationToken;
    } while (token !== undefined);
  }

  async #page(prefix: string, limit: number | undefined, token: string | undefined) {
    try {
      return await this.#client.send(
        new ListObjectsV2Command({
          Bucket: this.#bucket,
          Prefix: prefix,
          Delimiter: "/",
          EncodingType: "url",
          ...(limit !== undefined && { MaxKeys: limit }),
          ...(token !== undefined && { ContinuationToken: token }),
        }),
      );
    } catch (error) {
      throw failure(error, prefix);
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

function statusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && ["NotFound", "NoSuchKey"].includes(error.name);
}

/** 412, and 409 when two conditional writes met. */
function isConditionFailed(error: unknown): boolean {
  return [409, 412].includes(statusOf(error) ?? 0);
}

function ifAbsent(error: unknown, key: string): undefined {
  if (isAbsent(error)) return undefined;
  throw failure(error, key);
}

function failure(error: unknown, key: string): ProjectFilesError {
  if (error instanceof ProjectFilesError) return error;
  const refused = [401, 403].includes(statusOf(error) ?? 0);
  return new ProjectFilesError(refused ? "AccessDenied" : "StorageFailed", { path: key, cause: error });
}
