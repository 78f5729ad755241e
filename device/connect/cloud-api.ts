import type * as z from "zod";
import { ScoutsError } from "../../events/errors.ts";
import { errorBody } from "../../events/http.ts";
import { DeviceError } from "../errors.ts";

const timeoutMs = 30_000;

export interface CloudApi {
  readonly apiUrl: string | URL;
  /** A bearer token of the API's OIDC issuer. */
  readonly auth: () => Promise<string>;
}

/**
 * One request to the HTTP API with the device's own token.
 *
 * @throws ScoutsError with the cloud's code; DeviceError `request_refused` when the answer is none of ours
 */
export async function askCloud<S extends z.ZodType>(
  api: CloudApi,
  method: "GET" | "POST" | "PATCH" | "DELETE",
  path: string,
  answer: S,
  body?: unknown,
): Promise<z.infer<S>> {
  const response = await fetch(new URL(path, api.apiUrl), {
    method,
    headers: { authorization: `Bearer ${await api.auth()}`, "content-type": "application/json" },
    signal: AbortSignal.timeout(timeoutMs),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch((cause: unknown) => {
    throw new DeviceError("request_refused", { sentence: "The cloud cannot be reached.", cause });
  });
  const content: unknown = await response.json().catch(() => undefined);
  if (response.ok) return understood(answer, content);
  const refusal = errorBody.safeParse(content);
  if (refusal.success) throw new ScoutsError(refusal.data.error.code, { data: refusal.data.error.data });
  throw new DeviceError("request_refused", { data: { status: response.status } });
}

function understood<S extends z.ZodType>(answer: S, content: unknown): z.infer<S> {
  const parsed = answer.safeParse(content);
  if (parsed.success) return parsed.data;
  throw new DeviceError("request_refused", {
    sentence: "The cloud's answer is not understood: is it another version?",
  });
}
