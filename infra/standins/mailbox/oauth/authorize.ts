import type { HttpAnswer } from "../../loopback-server.ts";
import type { AccessTokens } from "./access-tokens.ts";
import type { ConsentBehaviour, OAuthClient } from "./client.ts";
import type { Codes } from "./codes.ts";

export interface AuthorizeDeps {
  readonly client: OAuthClient;
  readonly consent: ConsentBehaviour;
  readonly codes: Codes;
  readonly tokens: AccessTokens;
}

/**
 * `GET /o/oauth2/v2/auth`: the consent page, answered at once as the configured person would; that it is them has been shown
 * before. A request that names no
 * known client or address gets an error page, never a redirect (RFC 6749 §4.1.2.1); every other fault is redirected.
 * PKCE with S256 is demanded (RFC 7636), which Google leaves to the caller.
 */
export function authorize(query: URLSearchParams, { client, consent, codes, tokens }: AuthorizeDeps): HttpAnswer {
  if (query.get("client_id") !== client.clientId)
    return errorPage(401, "invalid_client", "The OAuth client was not found.");
  const redirectUri = query.get("redirect_uri") ?? "";
  const registered = client.redirectUris?.includes(redirectUri) ?? /^https?:$/.test(schemeOf(redirectUri));
  if (!registered) return errorPage(400, "redirect_uri_mismatch", "The redirect URI is missing or not registered.");

  const back = (params: Record<string, string>) => redirect(redirectUri, params, query.get("state"));
  if (query.get("response_type") !== "code") return back({ error: "unsupported_response_type" });
  const requested = (query.get("scope") ?? "").split(" ").filter((scope) => scope !== "");
  if (requested.length === 0) return back({ error: "invalid_scope" });
  const challenge = query.get("code_challenge") ?? "";
  if (query.get("code_challenge_method") !== "S256" || !/^[\w-]{43}$/.test(challenge)) {
    return back({ error: "invalid_request", error_description: "An S256 code_challenge is required." });
  }
  const accessType = query.get("access_type") ?? "online";
  if (accessType !== "online" && accessType !== "offline") return back({ error: "invalid_request" });

  const decided = consent.decide(requested);
  if (decided === "denied") return back({ error: "access_denied" });
  const earlier = tokens.allGranted();
  const included = query.get("include_granted_scopes") === "true" ? earlier : [];
  const scopes = [...new Set([...decided, ...included])];
  // Google gives a refresh token on first consent, and again only when consent is asked for again.
  const offline = accessType === "offline" && (earlier.length === 0 || (query.get("prompt") ?? "").includes("consent"));
  const code = codes.create({ redirectUri, challenge, scopes, offline });
  return back({ code, scope: scopes.join(" "), authuser: "0", prompt: "consent" });
}

function redirect(redirectUri: string, params: Record<string, string>, state: string | null): HttpAnswer {
  const url = new URL(redirectUri);
  if (state !== null) url.searchParams.set("state", state);
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
  return { status: 303, headers: { location: url.href } };
}

function errorPage(status: number, code: string, sentence: string): HttpAnswer {
  return {
    status,
    headers: { "content-type": "text/html; charset=utf-8" },
    body: `<!doctype html><title>Error ${status}: ${code}</title><h1>Error ${status}: ${code}</h1><p>${sentence}</p>`,
  };
}

function schemeOf(address: string): string {
  return URL.canParse(address) ? new URL(address).protocol : "";
}
