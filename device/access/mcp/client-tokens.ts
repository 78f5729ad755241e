import type { AuditTrail } from "../audit/trail.ts";
import { AccessError } from "../errors.ts";
import type { AccessSession } from "../session/session.ts";

const windowMs = 24 * 3_600_000;
/** Records of the trail in which is looked for what a program has had before. */
const maxLooked = 20_000;

/**
 * What each program is given by tools that cost tokens, or show more than files, in any 24 hours. Counted in the trail, so
 * that a program which is started again has no more.
 */
export class ClientTokens {
  readonly #most: number;
  readonly #now: () => number;
  #spent: { readonly atMs: number; readonly tokens: number }[] | undefined;

  /** @param most tokens in any 24 hours */
  constructor(most: number, now: () => number) {
    this.#most = most;
    this.#now = now;
  }

  /** @throws AccessError `budget_exceeded` when `tokens` are more than are left, or nothing is */
  require(session: AccessSession, trail: AuditTrail, tokens: number): void {
    this.#spent ??= spentBy(session, trail);
    const since = this.#now() - windowMs;
    this.#spent = this.#spent.filter(({ atMs }) => atMs > since);
    const spent = this.#spent.reduce((sum, each) => sum + each.tokens, 0);
    if (spent + Math.max(1, tokens) <= this.#most) return;
    const detail = `This program has had ${spent} of ${this.#most} tokens of the person's in 24 hours; scouts mcp --max-tokens allows more.`;
    throw new AccessError("budget_exceeded", { detail });
  }

  spend(tokens: number): void {
    this.#spent = [...(this.#spent ?? []), { atMs: this.#now(), tokens }];
  }
}

function spentBy({ caller }: AccessSession, trail: AuditTrail): { atMs: number; tokens: number }[] {
  return trail.newest(maxLooked).flatMap(({ caller: other, args, at }) => {
    const { tokens } = args;
    return typeof tokens === "number" && programOf(other) === programOf(caller) ? [{ atMs: at, tokens }] : [];
  });
}

/** `mcp:name`, whichever version of it. */
export const programOf = (caller: string): string => caller.split("/")[0] ?? caller;
