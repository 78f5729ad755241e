import { type Command, Option } from "commander";
import { DeviceError } from "../../device/errors.ts";
import { bucketAddressText, isBucketAddress, parseBucketAddress } from "../../device/files/place/bucket-address.ts";
import type { CliContext } from "../context.ts";
import { pathGiven } from "../given-path.ts";

/** How a bucket is reached. */
export interface BucketOptions {
  readonly endpoint?: string;
  readonly region?: string;
  readonly profile?: string;
  readonly writable?: boolean;
}

/** Adds the options that say how a project's bucket is reached. */
export function withBucketOptions(command: Command): Command {
  return command
    .addOption(new Option("--endpoint <url>", "of a bucket: the service that keeps it (default: Amazon S3)"))
    .addOption(new Option("--region <name>", "of a bucket: where it is (default: what the AWS configuration says)"))
    .addOption(new Option("--profile <name>", "of a bucket: whose credentials of the AWS configuration are used"))
    .addOption(new Option("--writable", "of a bucket: its files may be changed (default: they are only read)"));
}

/** Where a folder is, by what a person has given. @throws DeviceError `usage`, `address_insecure` */
export function folderGiven(context: CliContext, folder: string, options: BucketOptions): string {
  const { endpoint, region, profile, writable } = options;
  const given = Object.entries({ endpoint, region, profile, writable }).filter(([, value]) => value !== undefined);
  if (!isBucketAddress(folder)) {
    const [name] = given[0] ?? [];
    if (name === undefined) return pathGiven(context, folder);
    throw new DeviceError("usage", { sentence: `--${name} is for a bucket, such as s3://bucket/prefix.` });
  }
  const isWritable = writable === true ? { isWritable: true } : {};
  const said = Object.fromEntries(given.filter(([name]) => name !== "writable"));
  // Read again as it will be kept: what was given beside the address is held to the same rules.
  const text = bucketAddressText({ ...parseBucketAddress(folder), ...said, ...isWritable });
  return bucketAddressText(parseBucketAddress(text));
}
