import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { buildApp } from "fauxqs";
import { FsProjectFiles } from "../../device/files/backends/fs/fs-project-files.ts";
import { InMemoryProjectFiles } from "../../device/files/backends/in-memory-project-files.ts";
import { ProjectBucket } from "../../device/files/backends/s3/project-bucket.ts";
import { S3ProjectFiles } from "../../device/files/backends/s3/s3-project-files.ts";
import type { ProjectFiles } from "../../device/files/project-files.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { MemoryObjectStorage } from "./memory-object-storage.ts";

export interface Backend {
  name: string;
  /** Empty files; disposed of by `close`. */
  open(): Promise<{ files: ProjectFiles; dispose(): Promise<void> }>;
  close(): Promise<void>;
}

function onDisk(name: string, options: { pins: boolean; ripgrep: string | false }): Backend {
  return {
    name,
    async open() {
      const directory = await mkdtemp(join(tmpdir(), "files-parity-"));
      const dispose = () => rm(directory, { recursive: true, force: true });
      return { files: new FsProjectFiles(directory, options), dispose };
    },
    async close() {},
  };
}

function overEngine(): Backend {
  let engine: ReturnType<typeof buildApp> | undefined;
  let endpoint = "";
  let buckets = 0;
  return {
    name: "S3 on the embedded engine",
    async open() {
      if (engine === undefined) {
        engine = buildApp({ logger: false });
        endpoint = await engine.listen({ port: 0, host: "127.0.0.1" });
      }
      const bucket = `project-${++buckets}`;
      const credentials = { accessKeyId: "test", secretAccessKey: "test" };
      const client = new S3Client({ endpoint, region: "us-east-1", forcePathStyle: true, credentials });
      await client.send(new CreateBucketCommand({ Bucket: bucket }));
      const files = new S3ProjectFiles(new ProjectBucket(bucket, client), { bucket, prefix: "some/where" });
      return { files, dispose: async () => client.destroy() };
    },
    async close() {
      await engine?.close();
      engine = undefined;
    },
  };
}

/** Every backend that holds files, the file system both ways. */
export const backends: Backend[] = [
  onDisk("file system", { pins: true, ripgrep: "rg" }),
  onDisk("file system without /proc", { pins: false, ripgrep: false }),
  {
    name: "memory",
    async open() {
      return { files: new InMemoryProjectFiles({}, systemTimeAndIds), async dispose() {} };
    },
    async close() {},
  },
  {
    name: "S3 with exact conditions",
    async open() {
      return { files: new S3ProjectFiles(new MemoryObjectStorage(), { bucket: "b", prefix: "" }), async dispose() {} };
    },
    async close() {},
  },
  overEngine(),
];
