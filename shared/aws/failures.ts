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

/** Wraps what an AWS client threw into the port's codes, the original kept as cause. */
export function awsFailure(error: unknown, otherwise: ErrorCode): ScoutsError {
  const throttled = error instanceof Error && throttles.has(error.name);
  const code = throttled && otherwise === "storage_unavailable" ? "storage_throttled" : otherwise;
  return new ScoutsError(code, { cause: error });
}
