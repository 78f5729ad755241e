import { ProjectFilesError, type ProjectFilesErrorCode } from "../../errors.ts";

/** What keeps a bucket from being used, whatever the file. */
export type BucketTrouble =
  /** No credentials were found, or they are unknown, expired or wrong. */
  | "credentials"
  /** They are good, and do not allow it. */
  | "denied"
  /** There is no such bucket at this service. */
  | "no_bucket"
  /** It is kept in another region than it was asked for in. */
  | "other_region"
  /** Nobody answers there, or not as S3. */
  | "unreachable"
  /** It is asked too often, or has a fault of its own; it was asked again, and again refused. */
  | "busy"
  /** The endpoint of the environment or the profile is not encrypted, and not on this machine. */
  | "insecure";

/** A right may be missing for a part of the bucket; whatever else is wrong is so for all of it, and ends what is under way. */
const codeOf = (trouble: BucketTrouble): ProjectFilesErrorCode =>
  trouble === "denied" ? "AccessDenied" : "StorageFailed";

const details: Record<BucketTrouble, string> = {
  credentials: "no usable credentials for the bucket",
  denied: "the bucket refuses access",
  no_bucket: "there is no such bucket",
  other_region: "the bucket is in another region",
  unreachable: "no S3 service answers",
  busy: "the service of the bucket is busy",
  insecure: "the endpoint is not encrypted",
};

/** A failure of the bucket itself, and not of one object in it. */
export class BucketError extends ProjectFilesError {
  readonly trouble: BucketTrouble;
  /** Where the bucket is, when that is the trouble and the service says so. */
  readonly region: string | undefined;

  constructor(trouble: BucketTrouble, options: { path?: string; region?: string | undefined; cause?: unknown } = {}) {
    super(codeOf(trouble), { ...options, detail: details[trouble] });
    this.trouble = trouble;
    this.region = options.region;
  }
}
