import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from "jose";
import type { HttpApiNode } from "../graph.ts";

export type JwtDecision =
  | { allowed: true; claims: Record<string, string>; scopes: string[] | null }
  | { allowed: false; status: 401 | 403 };

/** API Gateway supports RSA signatures only ("Controlling access to HTTP APIs with JWT authorizers"). */
const algorithms = ["RS256", "RS384", "RS512"];

/** Claims reach the handler as text: numbers and booleans as they print, lists as `[a b]`. */
const claimText = (value: unknown): string =>
  Array.isArray(value)
    ? `[${value.map(claimText).join(" ")}]`
    : typeof value === "object"
      ? JSON.stringify(value)
      : String(value);

/**
 * A JWT authorizer as API Gateway's: keys by OIDC discovery, then signature, issuer, audience or client id, time, scopes.
 *
 * @param at where the issuer is asked, when that is not at its name
 */
export function jwtAuthorizer(authorizer: HttpApiNode["authorizers"][string], at: string = authorizer.issuer) {
  let keys: Promise<ReturnType<typeof createRemoteJWKSet>> | undefined;

  async function discover() {
    const response = await fetch(`${at.replace(/\/$/, "")}/.well-known/openid-configuration`);
    const configuration: unknown = await response.json();
    if (typeof configuration !== "object" || configuration === null || !("jwks_uri" in configuration)) {
      throw new TypeError("the issuer names no keys"); // none of jose's, which would be a fault of the token
    }
    return createRemoteJWKSet(new URL(String(configuration.jwks_uri)));
  }

  const addressed = (payload: JWTPayload) => {
    const named = payload.aud === undefined ? [payload["client_id"]] : [payload.aud].flat();
    return named.some((audience) => typeof audience === "string" && authorizer.audiences.includes(audience));
  };

  return async (header: string | undefined, wantedScopes: string[]): Promise<JwtDecision> => {
    const token = header?.replace(/^Bearer /i, "").trim();
    if (!token) return { allowed: false, status: 401 };
    try {
      keys ??= discover();
      const { payload } = await jwtVerify(token, await keys, {
        issuer: authorizer.issuer,
        algorithms,
        requiredClaims: ["exp"],
      });
      if (!addressed(payload)) return { allowed: false, status: 401 };
      const scopes = String(payload["scope"] ?? payload["scp"] ?? "")
        .split(" ")
        .filter(Boolean);
      if (wantedScopes.length > 0 && !wantedScopes.some((scope) => scopes.includes(scope))) {
        return { allowed: false, status: 403 };
      }
      const claims = Object.fromEntries(Object.entries(payload).map(([name, value]) => [name, claimText(value)]));
      return { allowed: true, claims, scopes: wantedScopes.length > 0 ? scopes : null };
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) keys = undefined; // discovery failed: ask the issuer again next time
      return { allowed: false, status: 401 };
    }
  };
}
