import { setTimeout } from "node:timers/promises";
import type * as z from "zod";
import { isScoutsError, ScoutsError } from "../../events/errors.ts";
import { errorBody } from "../../events/http/error-body.ts";
import { DeviceError } from "../errors.ts";
import { exactError } from "../exact-sentences.ts";
import { requireEncrypted } from "./encrypted-address.ts";
import { wasLost } from "./lost-connection.ts";

const timeoutMs = 30_000;
/** Nobody waits longer because a server says so: it may be another's, in between, or mistaken. */
const longestWaitMs = 3_600_000;

export interface CloudApi {
  readonly apiUrl: string | URL;
  /** Where it is by now, for a home that is somewhere else after each start. */
  readonly addressNow?: (() => string) | undefined;
  /**
   * A bearer token of the API's OIDC issuer. @param refused one that the API has just refused: another one is wanted, whatever this
   * machine's clock says of it
   */
  readonly auth: (refused?: string) => Promise<string>;
  /** So long a request is made again in all when too many came at once, which changes nothing; not at all unless told. */
  readonly patienceMs?: number;
}

/** Where a home is. */
export const addressOf = ({ apiUrl, addressNow }: Pick<CloudApi, "apiUrl" | "addressNow">): string | URL =>
  addressNow?.() ?? apiUrl;

type Method = "GET" | "POST" | "PATCH" | "DELETE";

/**
 * One request to the HTTP API with the device's own token, made again where the API has patience for that.
 *
 * @param path absolute, below the API's address
 * @throws ScoutsError with the cloud's code; DeviceError `request_refused` when the answer is none of ours, or there is
 * none, `address_insecure`. `data.retryAfterMs` when the cloud says when to come again.
 */
export async function askCloud<S extends z.ZodType>(
  api: CloudApi,
  method: Method,
  path: string,
  answer: S,
  body?: unknown,
  signal = AbortSignal.timeout(timeoutMs),
): Promise<z.infer<S>> {
  for (let waitedMs = 0; ; ) {
    try {
      return await askOnce(api, method, path, answer, body, signal);
    } catch (error) {
      const waitMs = isScoutsError(error, "rate_limited")
        ? Number(error.data["retryAfterMs"] ?? Number.NaN)
        : Number.NaN;
      if (!(waitedMs + waitMs <= (api.patienceMs ?? 0))) throw error;
      waitedMs += waitMs;
      await setTimeout(waitMs, undefined, { signal });
    }
  }
}

async function askOnce<S extends z.ZodType>(
  api: CloudApi,
  method: Method,
  path: string,
  answer: S,
  body: unknown,
  signal: AbortSignal,
): Promise<z.infer<S>> {
  const base = requireEncrypted(addressOf(api)).href.replace(/\/?$/, "");
  const send = (token: string) => sendOnce(base + path, method, token, body, signal);
  const token = await api.auth();
  let response = await send(token);
  if (response.status === 401) {
    // A token that was good by this machine's clock: the machine slept, or its clock was set. Nothing was done.
    const other = await api.auth(token);
    if (other !== token) {
      await response.body?.cancel();
      response = await send(other);
    }
  }
  const content: unknown = await response.json().catch(() => undefined);
  if (response.ok) return understood(answer, content);
  const waits = retryAfter(response);
  const refusal = errorBody.safeParse(content);
  if (refusal.success) {
    const { error, accounts, folders } = refusal.data;
    const named = folders && { folders: folders.join(", ") };
    throw new ScoutsError(error.code, { data: { ...error.data, ...accounts, ...named, ...waits } });
  }
  throw new DeviceError("request_refused", { data: { status: response.status, ...waits } });
}

async function sendOnce(
  address: string,
  method: Method,
  token: string,
  body: unknown,
  signal: AbortSignal,
): Promise<Response> {
  return fetch(address, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    redirect: "error",
    signal,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch((cause: unknown) => {
    const isUnknown = method !== "GET" && wasUnderWay(cause);
    throw exactError("request_refused", isUnknown ? "unanswered" : "unreachable", {}, { cause });
  });
}

/** Whether a request may have arrived: its connection was lost, or nothing was said in time. */
const wasUnderWay = (error: unknown): boolean =>
  (error instanceof Error && error.name === "TimeoutError") || wasLost(error);

/** `Retry-After` in seconds (RFC 9110 §10.2.3), at most an hour; its date form is ignored. */
function retryAfter({ headers }: Response): { retryAfterMs?: number } {
  const seconds = Number(headers.get("retry-after"));
  return seconds > 0 ? { retryAfterMs: Math.min(seconds * 1_000, longestWaitMs) } : {};
}

function understood<S extends z.ZodType>(answer: S, content: unknown): z.infer<S> {
  const parsed = answer.safeParse(content);
  if (parsed.success) return parsed.data;
  throw exactError("request_refused", "answer");
}
