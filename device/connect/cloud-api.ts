import type * as z from "zod";
import { ScoutsError } from "../../events/errors.ts";
import { errorBody } from "../../events/http.ts";
import { DeviceError } from "../errors.ts";
import { requireEncrypted } from "./encrypted-address.ts";

const timeoutMs = 30_000;
/** Nobody waits longer because a server says so: it may be another's, in between, or mistaken. */
const longestWaitMs = 3_600_000;

export interface CloudApi {
  readonly apiUrl: string | URL;
  /** A bearer token of the API's OIDC issuer. */
  readonly auth: () => Promise<string>;
}

/**
 * One request to the HTTP API with the device's own token.
 *
 * @param path absolute, below the API's address
 * @throws ScoutsError with the cloud's code; DeviceError `request_refused` when the answer is none of ours, or there is
 * none, `address_insecure`. `data.retryAfterMs` when the cloud says when to come again.
 */
export async function askCloud<S extends z.ZodType>(
  api: CloudApi,
  method: "GET" | "POST" | "PATCH" | "DELETE",
  path: string,
  answer: S,
  body?: unknown,
  signal = AbortSignal.timeout(timeoutMs),
): Promise<z.infer<S>> {
  const base = requireEncrypted(api.apiUrl).href.replace(/\/?$/, "");
  const response = await fetch(base + path, {
    method,
    headers: { authorization: `Bearer ${await api.auth()}`, "content-type": "application/json" },
    redirect: "error",
    signal,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch((cause: unknown) => {
    throw new DeviceError("request_refused", { sentence: "The cloud cannot be reached.", cause });
  });
  const content: unknown = await response.json().catch(() => undefined);
  if (response.ok) return understood(answer, content);
  const waits = retryAfter(response);
  const refusal = errorBody.safeParse(content);
  if (refusal.success)
    throw new ScoutsError(refusal.data.error.code, { data: { ...refusal.data.error.data, ...waits } });
  throw new DeviceError("request_refused", { data: { status: response.status, ...waits } });
}

/** `Retry-After` in seconds (RFC 9110 §10.2.3), at most an hour; its date form is ignored. */
function retryAfter({ headers }: Response): { retryAfterMs?: number } {
  const seconds = Number(headers.get("retry-after"));
  return seconds > 0 ? { retryAfterMs: Math.min(seconds * 1_000, longestWaitMs) } : {};
}

function understood<S extends z.ZodType>(answer: S, content: unknown): z.infer<S> {
  const parsed = answer.safeParse(content);
  if (parsed.success) return parsed.data;
  throw new DeviceError("request_refused", {
    sentence: "The cloud's answer is not understood: is it another version?",
  });
}
