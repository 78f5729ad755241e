import { createHash, randomBytes } from "node:crypto";
import { OAuthRefusal } from "./oauth-refusal.ts";

/** A code is redeemed at once, by the program that asked for it. */
const codeLifeMs = 60_000;

/** What a token is made for. */
export interface Grant {
  readonly subject: string;
  readonly clientId: string;
  readonly audience: string | null;
}

interface Pending extends Grant {
  readonly redirectUri: string;
  readonly codeChallenge: string;
  readonly untilMs: number;
}

/** Who signs in when a browser shows up: a subject, or nobody. */
export type SignIn = (hint: string | null) => string | "denied";

/**
 * The authorization endpoint for public clients with PKCE (RFC 6749 §4.1, RFC 7636) on a loopback port (RFC 8252 §7.3).
 * Who may be sent on is decided before: whoever shows the owner's secret.
 */
export class Authorizations {
  readonly #issuer: () => string;
  readonly #signIn: SignIn;
  readonly #clock: () => number;
  readonly #pending = new Map<string, Pending>();

  constructor(issuer: () => string, signIn: SignIn, clock: () => number) {
    this.#issuer = issuer;
    this.#signIn = signIn;
    this.#clock = clock;
  }

  /** Where the browser is sent. @throws OAuthRefusal when it must not be sent anywhere (RFC 6749 §4.1.2.1) */
  authorize(query: URLSearchParams): string {
    const clientId = query.get("client_id");
    const redirectUri = query.get("redirect_uri");
    if (!clientId) throw new OAuthRefusal("invalid_client", 401);
    if (!redirectUri || !isLoopback(redirectUri)) throw new OAuthRefusal("invalid_request");
    const back = new URL(redirectUri);
    const state = query.get("state");
    if (state !== null) back.searchParams.set("state", state);
    back.searchParams.set("iss", this.#issuer());
    const refuse = (error: string) => {
      back.searchParams.set("error", error);
      return back.href;
    };
    if (query.get("response_type") !== "code") return refuse("unsupported_response_type");
    const codeChallenge = query.get("code_challenge");
    if (query.get("code_challenge_method") !== "S256" || !/^[\w-]{43}$/.test(codeChallenge ?? "")) {
      return refuse("invalid_request");
    }
    const subject = this.#signIn(query.get("login_hint"));
    if (subject === "denied") return refuse("access_denied");
    const code = randomBytes(24).toString("base64url");
    this.#pending.set(code, {
      subject,
      clientId,
      audience: query.get("audience"),
      redirectUri,
      codeChallenge: codeChallenge ?? "",
      untilMs: this.#clock() + codeLifeMs,
    });
    back.searchParams.set("code", code);
    return back.href;
  }

  /** What a code was given for; it is good once. @throws OAuthRefusal `invalid_grant` */
  redeem(form: URLSearchParams): Grant {
    const code = form.get("code") ?? "";
    const pending = this.#pending.get(code);
    this.#pending.delete(code);
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    const good =
      pending !== undefined &&
      pending.untilMs > this.#clock() &&
      pending.clientId === form.get("client_id") &&
      pending.redirectUri === form.get("redirect_uri") &&
      pending.codeChallenge === challenge;
    if (!good) throw new OAuthRefusal("invalid_grant");
    return pending;
  }
}

function isLoopback(address: string): boolean {
  return URL.canParse(address) && /^http:\/\/(127\.0\.0\.1|\[::1\]):\d+\//.test(new URL(address).href);
}
