import type { ErrorCode } from "../../events/error-kinds.ts";
import { ScoutsError } from "../../events/errors.ts";

/** Names under which AWS services rate limit (https://docs.aws.amazon.com/sdkref/latest/guide/feature-retry-behavior.html). */
const throttles = new Set([
  "ProvisionedThroughputExceededException",
  "RequestLimitExceeded",
  "RequestThrottled",
  "SlowDown",
  "Throttling",
  "ThrottlingException",
  "TooManyRequestsException",
]);

/**
 * Names under which they say that the deployment is wrong: a grant, table, queue, bucket, function or key that is not there, or
 * a ciphertext of another key. Asking again does not mend it, its operator does.
 */
const misconfigured = new Set([
  "AccessDenied",
  "AccessDeniedException",
  "ForbiddenException",
  "UnrecognizedClientException",
  "ResourceNotFoundException",
  "QueueDoesNotExist",
  "NoSuchBucket",
  "DisabledException",
  "IncorrectKeyException",
  "InvalidCiphertextException",
  "KMSInvalidStateException",
  "NotFoundException",
]);

/** Whether an AWS service limits how much is asked of it: it has done nothing of what was asked. */
export const isThrottled = (error: unknown): boolean => error instanceof Error && throttles.has(error.name);

/** Wraps what an AWS client threw into the port's codes, the original kept as cause. */
export function awsFailure(error: unknown, otherwise: ErrorCode): ScoutsError {
  if (error instanceof Error && misconfigured.has(error.name)) {
    return new ScoutsError("configuration_invalid", { data: { refusal: error.name }, cause: error });
  }
  const code = isThrottled(error) && otherwise === "storage_unavailable" ? "storage_throttled" : otherwise;
  return new ScoutsError(code, { cause: error });
}
