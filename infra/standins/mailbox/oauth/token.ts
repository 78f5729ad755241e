import { createHash, timingSafeEqual } from "node:crypto";
import { type HttpAnswer, type HttpRequest, json } from "../../loopback-server.ts";
import type { Faults } from "../faults.ts";
import { type AccessTokens, accessTokenSeconds, type Grant } from "./access-tokens.ts";
import type { OAuthClient } from "./client.ts";
import type { Codes } from "./codes.ts";

export interface TokenDeps {
  readonly client: OAuthClient;
  readonly codes: Codes;
  readonly tokens: AccessTokens;
  readonly faults: Faults;
}

/** `POST /token` (RFC 6749 §5): the grants `authorization_code` with PKCE and `refresh_token`, errors as Google words them. */
export function answerToken(request: HttpRequest, deps: TokenDeps): HttpAnswer {
  const form = new URLSearchParams(request.body.toString());
  if (!isClient(request, form, deps.client)) {
    return refuse(401, "invalid_client", form.get("client_id") ? "Unauthorized" : "The OAuth client was not found.");
  }
  if (deps.faults.take("invalidGrant", "token") !== undefined) {
    return refuse(400, "invalid_grant", "Token has been expired or revoked.");
  }
  switch (form.get("grant_type")) {
    case "authorization_code":
      return exchangeCode(form, deps);
    case "refresh_token":
      return refresh(form, deps);
    default:
      return refuse(400, "unsupported_grant_type", "Invalid grant_type");
  }
}

/** `POST /revoke` (RFC 7009, with Google's 400 for a token it does not know). */
export function answerRevoke(request: HttpRequest, { tokens }: TokenDeps): HttpAnswer {
  const token =
    request.url.searchParams.get("token") ?? new URLSearchParams(request.body.toString()).get("token") ?? "";
  return tokens.revoke(token) ? json(200, {}) : refuse(400, "invalid_token", "Token expired or revoked");
}

function exchangeCode(form: URLSearchParams, { codes, tokens }: TokenDeps): HttpAnswer {
  const code = form.get("code") ?? "";
  const found = codes.find(code);
  if (found === undefined) return refuse(400, "invalid_grant", "Malformed auth code.");
  if (found.spent_for !== "") {
    tokens.revoke(found.spent_for);
    return refuse(400, "invalid_grant", "Bad Request");
  }
  if (found.redirect_uri !== form.get("redirect_uri")) return refuse(400, "redirect_uri_mismatch", "Bad Request");
  const verifier = form.get("code_verifier");
  if (verifier === null) return refuse(400, "invalid_grant", "Missing code verifier.");
  if (!sameText(createHash("sha256").update(verifier).digest("base64url"), found.challenge)) {
    return refuse(400, "invalid_grant", "Invalid code verifier.");
  }
  const refreshToken = tokens.grant(found.scopes);
  codes.spend(code, refreshToken);
  return tokenAnswer(tokens, { name: refreshToken, scopes: found.scopes }, found.offline ? refreshToken : undefined);
}

function refresh(form: URLSearchParams, { client, tokens }: TokenDeps): HttpAnswer {
  const grant = tokens.find(form.get("refresh_token") ?? "");
  // Shown twice, somebody else may hold it: the whole grant ends.
  if (grant?.isCurrent === false) tokens.revoke(grant.name);
  if (grant?.isCurrent !== true) return refuse(400, "invalid_grant", "Token has been expired or revoked.");
  return tokenAnswer(tokens, grant, client.rotates === true ? tokens.rotate(grant.name) : undefined);
}

function tokenAnswer(
  tokens: AccessTokens,
  { name, scopes }: Pick<Grant, "name" | "scopes">,
  refreshToken: string | undefined,
): HttpAnswer {
  return json(
    200,
    {
      access_token: tokens.issue(name, scopes),
      expires_in: accessTokenSeconds,
      ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
      scope: scopes.join(" "),
      token_type: "Bearer",
    },
    { "cache-control": "no-store" },
  );
}

function isClient(request: HttpRequest, form: URLSearchParams, client: OAuthClient): boolean {
  const basic = /^Basic (\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
  const [id, secret] = basic
    ? Buffer.from(basic, "base64").toString().split(":").map(decodeURIComponent)
    : [form.get("client_id") ?? "", form.get("client_secret") ?? ""];
  return sameText(id ?? "", client.clientId) && sameText(secret ?? "", client.clientSecret);
}

function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function refuse(status: number, error: string, description: string): HttpAnswer {
  return json(status, { error, error_description: description });
}
