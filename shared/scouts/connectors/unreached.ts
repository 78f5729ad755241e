import { isScoutsError, ScoutsError } from "../../../events/errors.ts";
import { type UnreachedReason, unreachedReasons } from "../../../events/sources/unreached.ts";

/** Names Node gives certificates it does not believe (tls, `error.code`). */
const certificate =
  /^(?:CERT_|ERR_TLS_CERT_|DEPTH_ZERO_SELF_SIGNED_CERT$|SELF_SIGNED_CERT_|UNABLE_TO_|HOSTNAME_MISMATCH$|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_EXCEEDED$)/;
/** A server that does not speak TLS where it was asked to: this side cannot read what it says as a record of TLS. */
const notTls = /^(?:EPROTO|ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG|ERR_SSL_HTTP_REQUEST)$/;

const reasons = new Map<string, UnreachedReason>([
  ["ENOTFOUND", "name"],
  ["ENODATA", "name"],
  ["EAI_AGAIN", "name"],
  ["ECONNREFUSED", "port"],
  ["EHOSTUNREACH", "route"],
  ["EHOSTDOWN", "route"],
  ["ENETUNREACH", "route"],
  ["ENETDOWN", "route"],
  ["EADDRNOTAVAIL", "route"],
  ["ETIMEDOUT", "slow"],
  ["ECONNRESET", "cut"],
  ["EPIPE", "cut"],
  ["ERR_STREAM_PREMATURE_CLOSE", "cut"],
]);

/** Why a connection failed, by the code of Node's error (`error.code`); nothing for one that says no more than that it did. */
export function unreachedReason(code: string): UnreachedReason | undefined {
  if (certificate.test(code)) return "certificate";
  return notTls.test(code) ? "plain" : reasons.get(code);
}

/** What a scout's row keeps of why its source was not reached: nothing of any other failure. */
export function unreachedOf(error: unknown): { failureReason?: UnreachedReason; failureStatus?: number } {
  if (!isScoutsError(error, "source_unavailable")) return {};
  const { reason, status } = error.data;
  const known = unreachedReasons.find((each) => each === reason);
  if (known === undefined) return {};
  return { failureReason: known, ...(known === "status" && typeof status === "number" && { failureStatus: status }) };
}

/** A source that does not answer, and why, where that is known. */
export const unreached = (reason: UnreachedReason | undefined, cause?: unknown): ScoutsError =>
  new ScoutsError("source_unavailable", {
    data: reason === undefined ? {} : { reason },
    ...(cause === undefined ? {} : { cause }),
  });
