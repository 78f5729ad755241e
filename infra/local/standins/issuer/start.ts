import { randomUUID } from "node:crypto";
import { type HttpAnswer, type HttpRequest, json, type LoopbackServer, serveLoopback } from "../loopback-server.ts";
import { openSigningKey, type SigningKey } from "../signing-key.ts";

export interface IssuerOptions {
  /** Where the signing key lives, `<data>/world/issuer`. */
  readonly stateDir: string;
  readonly port?: number;
  /** Audience of tokens that do not ask for another. */
  readonly audience: string;
  readonly clock?: () => number;
}

export interface TokenRequest {
  readonly audience?: string;
  /** Seconds; an hour by default. Negative gives a token that has expired. */
  readonly ttlSeconds?: number;
  readonly email?: string;
}

export interface Issuer {
  /** The `iss` of its tokens, and the root of its endpoints; no slash at the end. */
  readonly url: string;
  readonly jwksUrl: string;
  /** A bearer token for a person. */
  token(subject: string, request?: TokenRequest): Promise<string>;
  close(): Promise<void>;
}

const hourSeconds = 3600;
/** Requests of this machine's owner need no password: the server listens on 127.0.0.1 only. */
const loopbackGrant = "client_credentials";

/**
 * An OpenID Connect issuer for the people and devices of this machine: discovery, key set, and a token endpoint where
 * `client_id` names the subject. Throws StandInError.
 */
export async function startIssuer(options: IssuerOptions): Promise<Issuer> {
  const clock = options.clock ?? Date.now;
  const key = await openSigningKey(options.stateDir);
  const server: LoopbackServer = await serveLoopback(
    (request) => answer(request, key, server.url, token),
    options.port === undefined ? {} : { port: options.port },
  );

  async function token(subject: string, request: TokenRequest = {}): Promise<string> {
    const issuedAt = Math.floor(clock() / 1000);
    return key.sign({
      iss: server.url,
      sub: subject,
      aud: request.audience ?? options.audience,
      iat: issuedAt,
      nbf: issuedAt,
      exp: issuedAt + (request.ttlSeconds ?? hourSeconds),
      jti: randomUUID(),
      ...(request.email === undefined ? {} : { email: request.email, email_verified: true }),
    });
  }

  return { url: server.url, jwksUrl: `${server.url}/jwks`, token, close: server.close };
}

async function answer(
  request: HttpRequest,
  key: SigningKey,
  url: string,
  token: (subject: string, request?: TokenRequest) => Promise<string>,
): Promise<HttpAnswer> {
  switch (`${request.method} ${request.url.pathname}`) {
    case "GET /.well-known/openid-configuration":
      return json(200, discovery(url));
    case "GET /jwks":
      return json(200, { keys: [key.publicJwk] }, { "cache-control": "public, max-age=3600" });
    case "POST /token": {
      const form = new URLSearchParams(request.body.toString());
      if (form.get("grant_type") !== loopbackGrant) return json(400, { error: "unsupported_grant_type" });
      const subject = form.get("client_id");
      if (subject === null || subject === "") return json(401, { error: "invalid_client" });
      const audience = form.get("audience");
      const access = await token(subject, audience === null ? {} : { audience });
      return json(200, { access_token: access, token_type: "Bearer", expires_in: hourSeconds });
    }
    default:
      return json(404, { error: "not_found" });
  }
}

/** OpenID Connect Discovery 1.0 §3, as far as this issuer goes. */
function discovery(url: string) {
  return {
    issuer: url,
    jwks_uri: `${url}/jwks`,
    token_endpoint: `${url}/token`,
    grant_types_supported: [loopbackGrant],
    response_types_supported: ["token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
  };
}
