import { randomBytes, randomInt } from "node:crypto";
import type { Grant, SignIn } from "./authorizations.ts";
import { OAuthRefusal } from "./oauth-refusal.ts";

const lifeSeconds = 600;
/** Anybody may begin; the oldest are forgotten for new ones. */
const mostPending = 1_000;
/** Letters and digits nobody confuses, and no vowels, so that no words come out (RFC 8628 §6.1). */
const userCodeLetters = "BCDFGHJKLMNPQRSTVWXZ";

interface Pending {
  readonly userCode: string;
  readonly clientId: string;
  readonly audience: string | null;
  readonly untilMs: number;
  intervalMs: number;
  askedAtMs: number;
  answer: string | "denied" | undefined;
}

/** The device authorization grant (RFC 8628), for machines without a browser. */
export class DeviceCodes {
  readonly #signIn: SignIn;
  readonly #clock: () => number;
  readonly #intervalSeconds: number;
  readonly #pending = new Map<string, Pending>();

  constructor(signIn: SignIn, clock: () => number, intervalSeconds: number) {
    this.#signIn = signIn;
    this.#clock = clock;
    this.#intervalSeconds = intervalSeconds;
  }

  /** @throws OAuthRefusal `invalid_client` */
  begin(form: URLSearchParams, verificationUri: string) {
    const clientId = form.get("client_id");
    if (!clientId) throw new OAuthRefusal("invalid_client", 401);
    const [oldest] = this.#pending.keys();
    if (this.#pending.size >= mostPending && oldest !== undefined) this.#pending.delete(oldest);
    const half = () => Array.from({ length: 4 }, () => userCodeLetters[randomInt(userCodeLetters.length)]).join("");
    const userCode = `${half()}-${half()}`;
    const deviceCode = randomBytes(32).toString("base64url");
    this.#pending.set(deviceCode, {
      userCode,
      clientId,
      audience: form.get("audience"),
      untilMs: this.#clock() + lifeSeconds * 1_000,
      intervalMs: this.#intervalSeconds * 1_000,
      askedAtMs: Number.NEGATIVE_INFINITY,
      answer: undefined,
    });
    return {
      device_code: deviceCode,
      user_code: userCode,
      verification_uri: verificationUri,
      verification_uri_complete: `${verificationUri}?user_code=${userCode}`,
      expires_in: lifeSeconds,
      interval: this.#intervalSeconds,
    };
  }

  /** The person opens the page with their code. @returns whether there is such a code */
  confirm(userCode: string | null, hint: string | null): boolean {
    const pending = [...this.#pending.values()].find((each) => each.userCode === userCode);
    if (pending) pending.answer = this.#signIn(hint);
    return pending !== undefined;
  }

  /** @throws OAuthRefusal `authorization_pending`, `slow_down`, `access_denied`, `expired_token`, `invalid_grant` */
  redeem(form: URLSearchParams): Grant {
    const deviceCode = form.get("device_code") ?? "";
    const pending = this.#pending.get(deviceCode);
    if (!pending || pending.clientId !== form.get("client_id")) throw new OAuthRefusal("invalid_grant");
    const nowMs = this.#clock();
    if (pending.untilMs <= nowMs) throw new OAuthRefusal("expired_token");
    const tooSoon = nowMs - pending.askedAtMs < pending.intervalMs;
    pending.askedAtMs = nowMs;
    if (tooSoon) {
      pending.intervalMs += 5_000;
      throw new OAuthRefusal("slow_down");
    }
    if (pending.answer === undefined) throw new OAuthRefusal("authorization_pending");
    this.#pending.delete(deviceCode);
    if (pending.answer === "denied") throw new OAuthRefusal("access_denied");
    return { subject: pending.answer, clientId: pending.clientId, audience: pending.audience };
  }
}
