import { S3Client, type S3ClientConfig } from "@aws-sdk/client-s3";
import { requireEncrypted } from "../../../connect/encrypted-address.ts";
import type { BucketAddress } from "../../place/bucket-address.ts";
import { BucketError } from "./bucket-error.ts";

/** Where nothing says which region a bucket is in; the service names the right one when asked in another. */
const usualRegion = "us-east-1";

/** Who does not answer is given up after so long; without, a request to a dead address never ends. */
const patience = { connectionTimeout: 10_000, socketTimeout: 60_000 };
/** What the SDK would tell of the environment: it has no place among the answers of a command. */
const silent = { debug() {}, info() {}, warn() {}, error() {} };
/** A service that asks for patience is asked so often in all, with pauses that grow (the SDK's standard retries). */
const maxAttempts = 5;

/**
 * A client for a bucket. Credentials, and what the address leaves open, come from where the SDK looks: environment, profile,
 * the machine's role.
 */
export async function bucketClient({ endpoint, region, profile }: BucketAddress): Promise<S3Client> {
  const config: S3ClientConfig = {
    maxAttempts,
    requestHandler: patience,
    logger: silent,
    ...(profile !== undefined && { profile }),
    // Other services know buckets by path, and few of them Amazon's newer checksums.
    ...(endpoint !== undefined && {
      endpoint,
      forcePathStyle: true,
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
    }),
  };
  return guarded(await clientOfRegion(config, region));
}

async function clientOfRegion(config: S3ClientConfig, region: string | undefined): Promise<S3Client> {
  if (region !== undefined) return new S3Client({ ...config, region });
  const client = new S3Client(config);
  try {
    await client.config.region();
    return client;
  } catch {
    // Neither environment nor profile names one.
    client.destroy();
    return new S3Client({ ...config, region: usualRegion, followRegionRedirects: config.endpoint === undefined });
  }
}

/** An endpoint of the environment or the profile is held to the same rule as one of the address. */
function guarded(client: S3Client): S3Client {
  client.middlewareStack.add(
    (next) => (args) => {
      requireEncryptedRequest(args.request);
      return next(args);
    },
    { step: "finalizeRequest", name: "requireEncrypted" },
  );
  return client;
}

function requireEncryptedRequest(request: unknown): void {
  if (typeof request !== "object" || request === null || !("protocol" in request) || !("hostname" in request)) return;
  try {
    requireEncrypted(`${String(request.protocol)}//${String(request.hostname)}`);
  } catch (error) {
    throw new BucketError("insecure", { cause: error });
  }
}
