import * as z from "zod";
import type { ErrorCode } from "../../../../events/error-kinds.ts";
import { ScoutsError } from "../../../../events/errors.ts";
import { Transient } from "../../../privacy/transient.ts";

/** Read-only is enough for everything but trashing spam (https://developers.google.com/workspace/gmail/api/auth/scopes). */
export const readonlyScope = "https://www.googleapis.com/auth/gmail.readonly";
/** Moving a message to Trash and back; asked for only when a person turns that on. */
export const modifyScope = "https://www.googleapis.com/auth/gmail.modify";

const timeoutMs = 10_000;

export interface GoogleOAuthOptions {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly authUrl?: string;
  readonly tokenUrl: string;
  readonly revokeUrl?: string;
}

export interface GrantedTokens {
  readonly accessToken: Transient<string>;
  readonly expiresInSeconds: number;
  readonly refreshToken?: Transient<string>;
  readonly scopes: readonly string[];
}

const tokenAnswer = z.object({
  access_token: z.string().min(1),
  expires_in: z.number().positive(),
  refresh_token: z.string().min(1).optional(),
  scope: z.string().optional(),
});
const tokenError = z.object({ error: z.string() });

/** The consent page's address (https://developers.google.com/identity/protocols/oauth2/web-server). */
export function consentUrl(
  options: GoogleOAuthOptions,
  request: { redirectUri: string; state: string; codeChallenge: string; scopes: readonly string[] },
): string {
  if (options.authUrl === undefined) throw new ScoutsError("configuration_invalid", { data: { what: "authUrl" } });
  const url = new URL(options.authUrl);
  url.search = new URLSearchParams({
    client_id: options.clientId,
    redirect_uri: request.redirectUri,
    response_type: "code",
    scope: request.scopes.join(" "),
    access_type: "offline",
    prompt: "consent",
    include_granted_scopes: "true",
    code_challenge: request.codeChallenge,
    code_challenge_method: "S256",
    state: request.state,
  }).toString();
  return url.href;
}

/** @throws consent_invalid when the code or its verifier is not accepted. */
export async function exchangeCode(
  options: GoogleOAuthOptions,
  request: { code: string; codeVerifier: string; redirectUri: string },
): Promise<GrantedTokens> {
  return askForTokens(options, "consent_invalid", {
    grant_type: "authorization_code",
    code: request.code,
    code_verifier: request.codeVerifier,
    redirect_uri: request.redirectUri,
  });
}

/** @throws reauth when the person has withdrawn access (`invalid_grant`). */
export async function refreshTokens(
  options: GoogleOAuthOptions,
  refreshToken: Transient<string>,
): Promise<GrantedTokens> {
  return askForTokens(options, "reauth", { grant_type: "refresh_token", refresh_token: refreshToken.reveal() });
}

/**
 * Gives the grant back; a token Google does not know any more is fine (400).
 *
 * @throws source_rate_limited, source_unavailable; source_refused for what asking again would not change
 */
export async function revokeToken(options: GoogleOAuthOptions, token: Transient<string>): Promise<void> {
  if (options.revokeUrl === undefined) throw new ScoutsError("configuration_invalid", { data: { what: "revokeUrl" } });
  const { ok, status } = await post(options.revokeUrl, { token: token.reveal() });
  if (!ok && status !== 400) throw passing(status) ?? new ScoutsError("source_refused", { data: { status } });
}

async function askForTokens(
  options: GoogleOAuthOptions,
  refused: "consent_invalid" | "reauth",
  parameters: Record<string, string>,
): Promise<GrantedTokens> {
  const client = { client_id: options.clientId, client_secret: options.clientSecret };
  const response = await post(options.tokenUrl, { ...parameters, ...client });
  const body: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw refusal(response.status, body, refused);
  const answer = tokenAnswer.safeParse(body);
  if (!answer.success) throw new ScoutsError("source_unavailable", { data: { status: response.status } });
  const { access_token, expires_in, refresh_token, scope } = answer.data;
  return {
    accessToken: new Transient(access_token),
    expiresInSeconds: expires_in,
    scopes: scope?.split(" ") ?? [],
    ...(refresh_token === undefined ? {} : { refreshToken: new Transient(refresh_token) }),
  };
}

/**
 * What the token endpoint's errors are here (RFC 6749 §5.2 and Google's own). The first two the owner mends by connecting
 * again, the third their administrator; all others (`invalid_client`, `deleted_client`, `unauthorized_client`,
 * `redirect_uri_mismatch` …) say that our client is wrong, which is the operator's to mend.
 */
function codeOf(error: string, refused: "consent_invalid" | "reauth"): ErrorCode {
  switch (error) {
    case "invalid_grant":
    case "access_denied":
      return refused;
    case "admin_policy_enforced":
      return "source_forbidden";
    case "rate_limit_exceeded":
    case "slow_down":
      return "source_rate_limited";
    case "internal_failure":
    case "server_error":
    case "temporarily_unavailable":
      return "source_unavailable";
    default:
      return "configuration_invalid";
  }
}

/** What is otherwise when it is asked again. */
function passing(status: number): ScoutsError | undefined {
  if (status === 429) return new ScoutsError("source_rate_limited", { data: { status } });
  return status >= 500 || status === 408 ? new ScoutsError("source_unavailable", { data: { status } }) : undefined;
}

function refusal(status: number, body: unknown, refused: "consent_invalid" | "reauth"): ScoutsError {
  const soon = passing(status);
  if (soon) return soon;
  const error = tokenError.safeParse(body);
  const code = codeOf(error.success ? error.data.error : "", refused);
  return new ScoutsError(code, {
    data: { ...(code === "configuration_invalid" && { what: "Google OAuth client" }), status },
  });
}

async function post(url: string, parameters: Record<string, string>): Promise<Response> {
  try {
    const body = new URLSearchParams(parameters);
    return await fetch(url, { method: "POST", body, signal: AbortSignal.timeout(timeoutMs) });
  } catch (cause) {
    throw new ScoutsError("source_unavailable", { cause });
  }
}
