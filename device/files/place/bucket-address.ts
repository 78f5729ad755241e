import { requireEncrypted } from "../../connect/encrypted-address.ts";
import { exactError } from "../../exact-sentences.ts";
import { canonicalPath } from "../paths/project-path.ts";

/** A prefix in a bucket, and how the service that keeps it is reached. Credentials are no part of it. */
export interface BucketAddress {
  readonly bucket: string;
  /** Without slashes at its ends; "" for the whole bucket. */
  readonly prefix: string;
  /** An origin, for services other than Amazon's. */
  readonly endpoint?: string | undefined;
  readonly region?: string | undefined;
  /** Of the person's AWS configuration. */
  readonly profile?: string | undefined;
  /** False: nothing is stored there, and nothing removed. */
  readonly isWritable: boolean;
}

const form = /^s3:\/\/([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/i;
/** Amazon S3 User Guide, "General purpose bucket naming rules", and what older buckets and other services allow. */
const bucketName = /^[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9]$/;
const plainWord = /^[\w.@:/+=,-]{1,128}$/;

/** Whether this names a bucket, and not a directory of this machine. */
export const isBucketAddress = (text: string): boolean => /^s3:\/\//i.test(text);

/**
 * Reads an address such as `s3://bucket/prefix?region=eu-central-1&writable=true`. Options behind the question mark are those
 * of other programs' addresses (Apache Arrow, Go CDK). `?`, `#` and `%` of a prefix are written `%3F`, `%23` and `%25`.
 *
 * @throws DeviceError `usage`, `address_insecure` (an endpoint elsewhere that is not encrypted)
 */
export function parseBucketAddress(text: string): BucketAddress {
  const [, bucket = "", path = "", query = ""] = form.exec(text) ?? [];
  if (!bucketName.test(bucket)) throw unusable("bucket");
  const options = new URLSearchParams(query);
  for (const name of options.keys()) {
    if (!["endpoint", "region", "profile", "writable"].includes(name)) throw unusable("bucketOption");
  }
  const word = (name: string): string | undefined => {
    const value = options.get(name) ?? undefined;
    if (value !== undefined && !plainWord.test(value)) throw unusable("bucketOption");
    return value;
  };
  const writable = options.get("writable") ?? "false";
  if (!["true", "false"].includes(writable)) throw unusable("bucketOption");
  const endpoint = options.get("endpoint");
  return {
    bucket,
    prefix: prefixOf(path),
    ...(endpoint !== null && { endpoint: originOf(endpoint) }),
    region: word("region"),
    profile: word("profile"),
    isWritable: writable === "true",
  };
}

/** The one spelling of an address, as it is kept and shown. */
export function bucketAddressText({ bucket, prefix, endpoint, region, profile, isWritable }: BucketAddress): string {
  const options = { endpoint, region, profile, writable: isWritable ? "true" : undefined };
  const query = Object.entries(options).flatMap(([name, value]) =>
    // RFC 3986, 3.4: a colon and a slash may stand in a query as they are.
    value === undefined ? [] : [`${name}=${encodeURIComponent(value).replaceAll("%3A", ":").replaceAll("%2F", "/")}`],
  );
  const path = prefix.replaceAll(/[%?#]/g, encodeURIComponent);
  return `s3://${bucket}/${path}${query.length === 0 ? "" : `?${query.join("&")}`}`;
}

function prefixOf(path: string): string {
  try {
    const prefix = decodeURIComponent(path).replace(/^\/|\/$/g, "");
    if (canonicalPath(prefix, "posix") === prefix) return prefix;
  } catch {
    // No such spelling, or no path.
  }
  throw unusable("bucket");
}

/** Keys and content travel there: encrypted, or not off this machine. */
function originOf(endpoint: string): string {
  if (!/^https?:\/\/[^@?#\s]+$/i.test(endpoint) || !URL.canParse(endpoint)) throw unusable("endpoint");
  return requireEncrypted(endpoint).href.replace(/\/$/, "");
}

const unusable = (about: "bucket" | "bucketOption" | "endpoint") =>
  exactError("usage", about, {}, { data: { field: "path" } });
