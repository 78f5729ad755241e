import * as z from "zod";
import { DeviceError, isDeviceError } from "../errors.ts";
import { requireEncrypted } from "./encrypted-address.ts";

const timeoutMs = 15_000;
const largestAnswerBytes = 256 * 1024;

/** OpenID Connect Discovery 1.0 §3 and RFC 8414 §2, as far as a device needs them. */
const metadata = z.object({
  issuer: z.url(),
  token_endpoint: z.url(),
  authorization_endpoint: z.url().optional(),
  device_authorization_endpoint: z.url().optional(),
  revocation_endpoint: z.url().optional(),
});
export type IssuerMetadata = z.infer<typeof metadata>;

const tokenAnswer = z.object({
  access_token: z.string().min(1),
  token_type: z.string(),
  expires_in: z.number().positive().default(3_600),
  refresh_token: z.string().min(1).optional(),
});
export type TokenAnswer = z.infer<typeof tokenAnswer>;

/** RFC 6749 §5.2; the description is the issuer's text and is not shown. */
const refusal = z.object({ error: z.string().regex(/^[\w:./-]{1,64}$/) });

/** An issuer's refusal by its code, such as `invalid_grant`. */
export const refusalOf = (error: unknown): string | undefined =>
  isDeviceError(error, "login_failed") ? String(error.data["error"] ?? "") : undefined;

/** Whether an issuer has not answered at all, or said that it cannot now: the same question may go well in a moment. */
export function isSilent(error: unknown): boolean {
  if (!isDeviceError(error, "issuer_unusable")) return false;
  const status = Number(error.data["status"] ?? 0);
  return error.cause !== undefined || status === 429 || status >= 500;
}

/**
 * Reads where an issuer's endpoints are. What it says of itself must be the address it was asked at, so that nobody else's
 * answer is taken for it (OpenID Connect Discovery §4.3).
 *
 * @throws DeviceError `issuer_unusable`, `address_insecure`
 */
export async function discover(issuer: string, signal: AbortSignal): Promise<IssuerMetadata> {
  const root = requireEncrypted(issuer).href.replace(/\/$/, "");
  const content = await ask(`${root}/.well-known/openid-configuration`, { signal });
  const found = metadata.safeParse(content.body);
  if (!content.ok || !found.success || found.data.issuer.replace(/\/$/, "") !== root) {
    throw new DeviceError("issuer_unusable", { data: { status: content.status } });
  }
  for (const address of Object.values(found.data)) if (address !== undefined) requireEncrypted(address);
  return found.data;
}

/** @throws DeviceError `login_failed` with the issuer's `error`, `issuer_unusable` when it does not answer as it should */
export async function askForm<S extends z.ZodType>(
  endpoint: string,
  form: Record<string, string>,
  answer: S,
  signal: AbortSignal,
): Promise<z.infer<S>> {
  const { ok, status, body } = await ask(endpoint, { method: "POST", body: new URLSearchParams(form), signal });
  const parsed = ok ? answer.safeParse(body) : undefined;
  if (parsed?.success) return parsed.data;
  const refused = refusal.safeParse(body);
  if (ok || !refused.success) throw new DeviceError("issuer_unusable", { data: { status } });
  const { error } = refused.data;
  throw new DeviceError("login_failed", {
    sentence: `The issuer refuses: ${error}. Check the client id and the account, and sign in again: scouts login.`,
    data: { error },
  });
}

/** Asks a token endpoint. @throws as {@link askForm} */
export async function askToken(
  endpoint: string,
  form: Record<string, string>,
  signal: AbortSignal,
): Promise<TokenAnswer> {
  const answer = await askForm(endpoint, form, tokenAnswer, signal);
  if (answer.token_type.toLowerCase() !== "bearer") throw new DeviceError("issuer_unusable");
  return answer;
}

async function ask(address: string, request: RequestInit & { signal: AbortSignal }) {
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]);
  try {
    const response = await fetch(address, { redirect: "error", ...request, signal });
    return { ok: response.ok, status: response.status, body: json(await boundedText(response)) };
  } catch (cause) {
    if (request.signal.aborted) throw new DeviceError("consent_abandoned");
    throw new DeviceError("issuer_unusable", {
      sentence: "The issuer cannot be reached; check the network and its address, and try again.",
      cause,
    });
  }
}

/** Nothing when there is more: leaving the loop cancels the rest. */
async function boundedText({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body ?? []) {
    bytes += part.length;
    if (bytes > largestAnswerBytes) return "";
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No JSON: whoever asked for it says so.
    return undefined;
  }
}
