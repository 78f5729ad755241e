import { S3ServiceException } from "@aws-sdk/client-s3";
import { ProjectFilesError } from "../../errors.ts";
import { BucketError, type BucketTrouble } from "./bucket-error.ts";

/** Error codes of the service, Amazon S3 API Reference, "List of error codes", and those of its sign-in. */
const troubleOfCode: Readonly<Record<string, BucketTrouble>> = {
  InvalidAccessKeyId: "credentials",
  SignatureDoesNotMatch: "credentials",
  ExpiredToken: "credentials",
  InvalidToken: "credentials",
  TokenRefreshRequired: "credentials",
  RequestTimeTooSkewed: "credentials",
  CredentialsProviderError: "credentials",
  TokenProviderError: "credentials",
  AccessDenied: "denied",
  AllAccessDisabled: "denied",
  AccountProblem: "denied",
  NoSuchBucket: "no_bucket",
  PermanentRedirect: "other_region",
  TemporaryRedirect: "other_region",
  AuthorizationHeaderMalformed: "other_region",
  IllegalLocationConstraintException: "other_region",
  SlowDown: "busy",
  RequestLimitExceeded: "busy",
  TimeoutError: "unreachable",
};

/** What a request came to, as an error of this project's files. */
export function bucketFailure(error: unknown, key: string): ProjectFilesError {
  if (error instanceof ProjectFilesError) return error;
  const trouble = troubleOf(error);
  if (trouble === undefined) return new ProjectFilesError("StorageFailed", { path: key, cause: error });
  return new BucketError(trouble, { path: key, region: regionOf(error), cause: error });
}

/** The HTTP status a bucket answered with; undefined when the failure is not an answer of it. */
export function statusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
}

function troubleOf(error: unknown): BucketTrouble | undefined {
  if (!(error instanceof Error)) return undefined;
  const ofCode = troubleOfCode[error.name];
  if (ofCode !== undefined) return ofCode;
  const status = statusOf(error);
  if (status === undefined) return "unreachable";
  if (status === 301 || status === 307) return "other_region";
  if (status === 401) return "credentials";
  if (status === 403) return "denied";
  if (status === 429 || status >= 500) return "busy";
  // Not even an error as S3 words one: this is another service.
  return error.name === "UnknownError" || error.name === "Unknown" ? "unreachable" : undefined;
}

/** The header that names the bucket's own region, and what the answer itself says of it. */
function regionOf(error: unknown): string | undefined {
  if (!(error instanceof S3ServiceException)) return undefined;
  const told: unknown = error.$response?.headers["x-amz-bucket-region"] ?? Reflect.get(error, "Region");
  return typeof told === "string" && /^[a-z0-9-]{1,40}$/.test(told) ? told : undefined;
}
