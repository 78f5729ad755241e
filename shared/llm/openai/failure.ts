import { APIConnectionTimeoutError, APIError, APIUserAbortError } from "openai";
import type { ErrorCode } from "../../../events/error-kinds.ts";
import { isScoutsError, ScoutsError } from "../../../events/errors.ts";
import { ModelRefusal } from "./model-refusal.ts";

/** What went wrong with a request to the model, as an error of ours. */
export function modelFailure(error: unknown): ScoutsError {
  const source = sourceOf(error);
  if (isScoutsError(source)) return source;
  if (source instanceof ModelRefusal) {
    const { status, retryAfterMs } = source;
    const data = { status, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
    return new ScoutsError(refusalCode(source) ?? formCode(source), { data, cause: source });
  }
  if (error instanceof APIConnectionTimeoutError || error instanceof APIUserAbortError) {
    return new ScoutsError("model_timeout", { cause: error });
  }
  const code = connectionCode(error);
  return new ScoutsError(code ?? (error instanceof APIError ? "model_unavailable" : "internal"), { cause: error });
}

/** The library wraps what its `fetch` throws; an error that comes in a stream it makes itself. */
export function sourceOf(error: unknown): unknown {
  if (error instanceof ModelRefusal || isScoutsError(error)) return error;
  if (error instanceof APIError && error.error !== undefined) {
    return new ModelRefusal(error.status ?? 200, new Headers(), JSON.stringify({ error: error.error }));
  }
  return error instanceof Error && error.cause !== undefined ? sourceOf(error.cause) : undefined;
}

const spent = ["insufficient_quota", "billing_hard_limit_reached", "billing_not_active"];
const filtered = ["content_filter", "content_policy_violation", "ResponsibleAIPolicyViolation", "moderation_blocked"];
const overlong = ["context_length_exceeded", "exceed_context_size_error", "string_above_max_length"];
const badImage = [
  "invalid_image",
  "invalid_image_format",
  "image_parse_error",
  "invalid_base64_image",
  "invalid_image_url",
];

/**
 * What a refusal means, whatever its form; undefined when the request's form may be the matter. The words are those of
 * the servers in docs/models.md.
 */
export function refusalCode(refusal: ModelRefusal): ErrorCode | undefined {
  const { status } = refusal;
  const isPage = !refusal.isJson && refusal.says(/^\s*</);
  if (isPage && [400, 403, 404, 405, 407].includes(status)) return "model_not_an_api";
  if (refusal.isCoded(...filtered) || refusal.says(/content (filter|management policy)|was flagged|moderation/)) {
    if (status < 500) return "model_refused";
  }
  if (status === 401 || status === 407) return "model_forbidden";
  if (status === 402) return refusal.retryAfterMs === undefined ? "model_quota_spent" : "model_rate_limited";
  if (status === 403) return "model_forbidden";
  if (status === 413) return "model_item_too_long";
  if (status === 429) {
    if (refusal.isCoded(...spent) || refusal.says(/insufficient (balance|credit)|credit balance is too low/)) {
      return "model_quota_spent";
    }
    // More tokens in one request than the account may use in a minute: waiting would not help.
    return refusal.says(/request too large for/) ? "model_item_too_long" : "model_rate_limited";
  }
  if (unknownModel(refusal)) return "model_unknown";
  if (refusal.isCoded(...overlong) || refusal.says(overlongWords)) return "model_item_too_long";
  if (refusal.isCoded(...badImage) || refusal.says(imageWords)) return "model_item_invalid";
  if (refusal.isCoded("invalid_prompt")) return "model_item_invalid";
  if (refusal.isCoded("json_validate_failed", "tool_use_failed")) return "model_answer_invalid";
  if (status === 408) return "model_timeout";
  // llama.cpp answers 500 and 501 for what it was not started for.
  if (status >= 500 && !refusal.says(/--jinja|does not support|not supported|unsupported param/))
    return "model_unavailable";
  if (status === 409 || status === 425) return "model_unavailable";
  return undefined;
}

const overlongWords =
  /context[ _](length|window|size)|maximum context|prompt is too long|reduce the length|too many (input )?tokens|input is too (long|large)/;
const imageWords =
  /image input is not supported|not a multimodal model|missing data required for image|(does not|doesn't) support (image|vision)|invalid image|could not (process|load) image/;

function unknownModel(refusal: ModelRefusal): boolean {
  const { status } = refusal;
  // OpenRouter has the model, but nobody who runs it takes such a request.
  if (status === 404 && refusal.says(/no endpoints found that (support|can handle)/)) return false;
  if (status === 404 || status === 405 || status === 410) return true;
  // LM Studio answers 200 at addresses that are none.
  if (refusal.isCoded("model_not_found", "DeploymentNotFound", "invalid_model")) return true;
  if (refusal.says(/unexpected endpoint or method/)) return true;
  return (
    status < 500 &&
    refusal.says(/not a valid model|no models? loaded|model\b.{0,120}(not found|does not exist|is not available)/)
  );
}

/** What a refusal of the form means when no other form is left to try. */
function formCode(refusal: ModelRefusal): ErrorCode {
  if (refusal.parameters().length > 0 || refusal.status >= 500) return "model_request_refused";
  return refusal.says(/unsupported|unrecognized|unknown|not supported|does not support|requires|not permitted/)
    ? "model_request_refused"
    : "model_item_invalid";
}

/** Codes of Node's network, TLS and HTTP layers (nodejs.org/api/errors.html) and of its `fetch` (undici). */
const unreachable =
  /^(ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|ERR_INVALID_URL|ERR_TLS_\w+|ERR_SSL_\w+|EPROTO|CERT_\w+|UNABLE_TO_\w+|SELF_SIGNED_\w+|DEPTH_ZERO_\w+|HOSTNAME_MISMATCH)$/;

function connectionCode(error: unknown): ErrorCode | undefined {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 6; at = at.cause, depth += 1) {
    const code = "code" in at && typeof at.code === "string" ? at.code : "";
    if (unreachable.test(code)) return "model_unreachable";
    // What answers speaks no HTTP.
    if (at.name === "HTTPParserError" || code.startsWith("HPE_")) return "model_not_an_api";
    if (/^(ECONNRESET|EPIPE|UND_ERR_\w+)$/.test(code)) return "model_unavailable";
    // The Fetch standard's blocked ports, and addresses that are none.
    if (/^(bad port|Invalid URL|Failed to parse URL)/i.test(at.message)) return "model_unreachable";
    // Of several addresses tried at once; all failed.
    const first: unknown = at instanceof AggregateError ? at.errors[0] : undefined;
    if (first !== undefined) return connectionCode(first);
  }
  // A piece of the stream is no JSON: it was cut in the middle.
  return error instanceof SyntaxError ? "model_unavailable" : undefined;
}
