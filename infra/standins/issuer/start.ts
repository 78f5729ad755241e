import { randomUUID } from "node:crypto";
import { type HttpAnswer, type HttpRequest, json, type LoopbackServer, serveLoopback } from "../loopback-server.ts";
import { askForOwner, bringsSecret, sameSecret } from "../owner-secret.ts";
import { openSigningKey, type SigningKey } from "../signing-key.ts";
import { Authorizations, type Grant, type SignIn } from "./authorizations.ts";
import { DeviceCodes } from "./device-codes.ts";
import { OAuthRefusal } from "./oauth-refusal.ts";
import { RefreshTokens } from "./refresh-tokens.ts";

export interface IssuerOptions {
  /** Where the signing key lives, `<data>/world/issuer`. */
  readonly stateDir: string;
  readonly port?: number;
  /** The `iss` of its tokens; its address when left out. Kept by who starts it, so that people stay who they are. */
  readonly name?: string;
  /** What proves that somebody is this machine's owner: without it nobody gets a token of their own, and nobody consents. */
  readonly ownerSecret: string;
  /** Audience of tokens that do not ask for another. */
  readonly audience: string;
  readonly clock?: () => number;
  /** Who a browser's visitor is; the hint, else this machine's owner. */
  readonly signIn?: SignIn;
  /** Seconds between two questions of a device that waits for its person (RFC 8628 §3.2). */
  readonly deviceIntervalSeconds?: number;
  /** Life of tokens given out over HTTP. */
  readonly tokenSeconds?: number;
}

export interface TokenRequest {
  readonly audience?: string;
  /** Seconds; an hour by default. Negative gives a token that has expired. */
  readonly ttlSeconds?: number;
  readonly email?: string;
}

export interface Issuer {
  /** The `iss` of its tokens. */
  readonly name: string;
  /** The root of its endpoints; no slash at the end. */
  readonly url: string;
  readonly jwksUrl: string;
  /** A bearer token for a person. */
  token(subject: string, request?: TokenRequest): Promise<string>;
  close(): Promise<void>;
}

const hourSeconds = 3600;
/** How the owner's own programs get a token: `client_id` names the subject, `client_secret` is the owner's. */
const ownGrant = "client_credentials";
const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code";
const defaultIntervalSeconds = 5;

/**
 * An OpenID Connect issuer for the people and devices of this machine: discovery, key set, a token endpoint where
 * `client_id` names the subject for whoever knows the owner's secret, and for public clients the code grant with PKCE, the device grant and refresh tokens.
 * What it has granted is forgotten when it stops. Throws StandInError.
 */
export async function startIssuer(options: IssuerOptions): Promise<Issuer> {
  const clock = options.clock ?? Date.now;
  const key = await openSigningKey(options.stateDir);
  const signIn = options.signIn ?? ((hint) => hint ?? "owner");
  const state: State = {
    key,
    url: () => server.url,
    name: () => options.name ?? server.url,
    ownerSecret: options.ownerSecret,
    token,
    tokenSeconds: options.tokenSeconds ?? hourSeconds,
    authorizations: new Authorizations(() => options.name ?? server.url, signIn, clock),
    devices: new DeviceCodes(signIn, clock, options.deviceIntervalSeconds ?? defaultIntervalSeconds),
    refreshTokens: new RefreshTokens(),
  };
  const server: LoopbackServer = await serveLoopback(
    (request) => answer(request, state).catch(refusal),
    options.port === undefined ? {} : { port: options.port },
  );

  async function token(subject: string, request: TokenRequest = {}): Promise<string> {
    const issuedAt = Math.floor(clock() / 1000);
    return key.sign({
      iss: options.name ?? server.url,
      sub: subject,
      aud: request.audience ?? options.audience,
      iat: issuedAt,
      nbf: issuedAt,
      exp: issuedAt + (request.ttlSeconds ?? hourSeconds),
      jti: randomUUID(),
      ...(request.email === undefined ? {} : { email: request.email, email_verified: true }),
    });
  }

  return {
    name: options.name ?? server.url,
    url: server.url,
    jwksUrl: `${server.url}/jwks`,
    token,
    close: server.close,
  };
}

interface State {
  readonly key: SigningKey;
  readonly url: () => string;
  readonly name: () => string;
  readonly ownerSecret: string;
  readonly token: Issuer["token"];
  readonly tokenSeconds: number;
  readonly authorizations: Authorizations;
  readonly devices: DeviceCodes;
  readonly refreshTokens: RefreshTokens;
}

async function answer(request: HttpRequest, state: State): Promise<HttpAnswer> {
  const { method, url, body } = request;
  const form = new URLSearchParams(body.toString());
  switch (`${method} ${url.pathname}`) {
    case "GET /.well-known/openid-configuration":
      return json(200, discovery(state.name(), state.url()));
    case "GET /jwks":
      return json(200, { keys: [state.key.publicJwk] }, { "cache-control": "public, max-age=3600" });
    case "GET /authorize":
    case "POST /authorize":
      return (
        askForOwner(request, state.ownerSecret) ?? {
          status: 303,
          headers: { location: state.authorizations.authorize(url.searchParams), "cache-control": "no-store" },
        }
      );
    case "POST /device_authorization":
      return json(200, state.devices.begin(form, `${state.url()}/device`));
    case "GET /device":
    case "POST /device": {
      const unknown = askForOwner(request, state.ownerSecret);
      if (unknown) return unknown;
      const known = state.devices.confirm(url.searchParams.get("user_code"), url.searchParams.get("login_hint"));
      return { status: known ? 200 : 404, body: known ? "Thank you. You can close this window." : "No such code." };
    }
    case "POST /token":
      return json(200, await granted(form, request, state), { "cache-control": "no-store" });
    case "POST /revoke":
      state.refreshTokens.revoke(form.get("token"));
      return { status: 200 };
    default:
      return json(404, { error: "not_found" });
  }
}

async function granted(form: URLSearchParams, request: HttpRequest, state: State) {
  switch (form.get("grant_type")) {
    case ownGrant: {
      const subject = form.get("client_id");
      const secret = state.ownerSecret;
      const proven = sameSecret(form.get("client_secret") ?? "", secret) || bringsSecret(request, secret);
      if (!subject || !proven) throw new OAuthRefusal("invalid_client", 401);
      return tokens({ subject, clientId: subject, audience: form.get("audience") }, state);
    }
    case "authorization_code":
      return withRefresh(state.authorizations.redeem(form), state);
    case deviceGrant:
      return withRefresh(state.devices.redeem(form), state);
    case "refresh_token": {
      const { grant, next } = state.refreshTokens.use(form);
      return { ...(await tokens(grant, state)), refresh_token: next };
    }
    default:
      throw new OAuthRefusal("unsupported_grant_type");
  }
}

async function withRefresh(grant: Grant, state: State) {
  return { ...(await tokens(grant, state)), refresh_token: state.refreshTokens.issue(grant) };
}

async function tokens({ subject, audience }: Grant, { token, tokenSeconds }: State) {
  const request = { ttlSeconds: tokenSeconds, ...(audience === null ? {} : { audience }) };
  return { access_token: await token(subject, request), token_type: "Bearer", expires_in: tokenSeconds };
}

function refusal(error: unknown): HttpAnswer {
  if (error instanceof OAuthRefusal) return json(error.status, { error: error.error }, { "cache-control": "no-store" });
  throw error;
}

/** OpenID Connect Discovery 1.0 §3 and RFC 8414, as far as this issuer goes. */
function discovery(name: string, url: string) {
  return {
    issuer: name,
    jwks_uri: `${url}/jwks`,
    authorization_endpoint: `${url}/authorize`,
    device_authorization_endpoint: `${url}/device_authorization`,
    token_endpoint: `${url}/token`,
    revocation_endpoint: `${url}/revoke`,
    grant_types_supported: [ownGrant, "authorization_code", deviceGrant, "refresh_token"],
    response_types_supported: ["code"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none", "client_secret_post"],
    authorization_response_iss_parameter_supported: true,
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
  };
}
