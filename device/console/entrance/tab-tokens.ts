import { createHash, randomBytes } from "node:crypto";

/** A tab that asks for nothing for so long has to be opened anew. */
const idleLifeMs = 12 * 3_600_000;
/** More tabs than that at once are nobody's: the oldest ends. */
const mostTabs = 50;

const digestOf = (token: string): string => createHash("sha256").update(token).digest("hex");

/**
 * The tokens of open tabs, in memory only: they end with the process. Not a cookie, which every other port of this machine
 * would be sent as well (RFC 6265 §8.5).
 */
export class TabTokens {
  readonly #now: () => number;
  readonly #endsAt = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  open(): string {
    const token = randomBytes(32).toString("base64url");
    const [oldest] = this.#endsAt.keys();
    if (this.#endsAt.size >= mostTabs && oldest !== undefined) this.#endsAt.delete(oldest);
    this.#endsAt.set(digestOf(token), this.#now() + idleLifeMs);
    return token;
  }

  /** Whether a token is good; using it lengthens its life. */
  isGood(token: string): boolean {
    const digest = digestOf(token);
    const endsAt = this.#endsAt.get(digest);
    this.#endsAt.delete(digest);
    if (endsAt === undefined || endsAt <= this.#now()) return false;
    this.#endsAt.set(digest, this.#now() + idleLifeMs);
    return true;
  }
}
