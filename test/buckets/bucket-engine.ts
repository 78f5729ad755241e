import {
  CopyObjectCommand,
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { buildApp } from "fauxqs";
import { onTestFinished } from "vitest";

/** A bucket of the embedded engine, which is gone when the test is over. */
export interface EngineBucket {
  readonly endpoint: string;
  /** `s3://garden/docs?…`, to be linked. */
  address(options?: { readonly isWritable?: boolean }): string;
  put(key: string, content: string | Uint8Array): Promise<void>;
  move(from: string, to: string): Promise<void>;
  /** The text of an object. */
  text(key: string): Promise<string>;
}

/** What the SDK finds where it looks; tests that set it have a process of their own (test/phases.ts). */
export function giveCredentials(): void {
  process.env["AWS_ACCESS_KEY_ID"] = "test";
  process.env["AWS_SECRET_ACCESS_KEY"] = "test";
}

export async function startBucket(tree: Readonly<Record<string, string | Uint8Array>> = {}): Promise<EngineBucket> {
  const engine = buildApp({ logger: false });
  onTestFinished(async () => void (await engine.close()));
  const endpoint = await engine.listen({ port: 0, host: "127.0.0.1" });
  const credentials = { accessKeyId: "test", secretAccessKey: "test" };
  const client = new S3Client({ endpoint, region: "us-east-1", forcePathStyle: true, credentials });
  onTestFinished(() => client.destroy());
  await client.send(new CreateBucketCommand({ Bucket: "garden" }));
  const put = async (Key: string, content: string | Uint8Array) => {
    await client.send(new PutObjectCommand({ Bucket: "garden", Key, Body: Buffer.from(content) }));
  };
  for (const [path, content] of Object.entries(tree)) await put(`docs/${path}`, content);
  return {
    endpoint,
    address: ({ isWritable = false } = {}) =>
      `s3://garden/docs?endpoint=${endpoint}${isWritable ? "&writable=true" : ""}`,
    put,
    async move(from, Key) {
      await client.send(new CopyObjectCommand({ Bucket: "garden", CopySource: `garden/${from}`, Key }));
      await client.send(new DeleteObjectCommand({ Bucket: "garden", Key: from }));
    },
    async text(Key) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket: "garden", Key }));
      return (await Body?.transformToString()) ?? "";
    },
  };
}
