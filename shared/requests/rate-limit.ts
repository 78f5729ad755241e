import { ScoutsError } from "../../events/errors.ts";
import type { UserId } from "../../events/ids.ts";
import { sessionsKey, shardOf } from "../keys.ts";
import type { Clock } from "../ports/clock.ts";
import type { Change, Condition, Table } from "../ports/table.ts";

/** What one person may ask of the HTTP API: this much at once, and so often from then on. */
export const apiRate = { burst: 100, everyMs: 500 } as const;

const rowLifeMs = 3_600_000;
const rememberedUsers = 10_000;

/**
 * A token bucket per person, kept as one number, the time at which it will be full again (the generic cell rate
 * algorithm, ITU-T I.371), so that a request is one conditional write that holds across all environments:
 *
 *   full again in the past:            fullAt ← now + cost
 *   in the future, and there is room:  fullAt ← fullAt + cost
 */
export class RateLimit {
  readonly #sessions: Table;
  readonly #clock: Clock;
  readonly #rate: { readonly burst: number; readonly everyMs: number };
  /** Says which of the two writes to try first; decides nothing. */
  readonly #seen = new Map<UserId, number>();

  constructor(sessions: Table, clock: Clock, rate: { burst: number; everyMs: number } = apiRate) {
    this.#sessions = sessions;
    this.#clock = clock;
    this.#rate = rate;
  }

  /** Takes one request. @throws rate_limited with `retryAfterMs` */
  async take(user: UserId): Promise<void> {
    const nowMs = this.#clock();
    const { burst, everyMs } = this.#rate;
    const roomUntil = nowMs + (burst - 1) * everyMs;
    const idle = () =>
      this.#write(user, nowMs, { set: [[["fullAt"], nowMs + everyMs]] }, [
        { any: [{ absent: ["fullAt"] }, { path: ["fullAt"], is: "<=", value: nowMs }] },
      ]);
    const busy = () =>
      this.#write(user, nowMs, { add: [[["fullAt"], everyMs]] }, [
        { path: ["fullAt"], is: ">", value: nowMs },
        { path: ["fullAt"], is: "<=", value: roomUntil },
      ]);
    const inOrder = (this.#seen.get(user) ?? 0) > nowMs ? [busy, idle] : [idle, busy];
    for (const attempt of inOrder) if (await attempt()) return;
    const row = await this.#sessions.get(sessionsKey.rate(user));
    const retryAfterMs = Math.max(Number(row?.["fullAt"] ?? 0) - roomUntil, everyMs);
    throw new ScoutsError("rate_limited", { data: { retryAfterMs } });
  }

  async #write(user: UserId, nowMs: number, change: Change, all: readonly Condition[]): Promise<boolean> {
    const expiresAt = nowMs + rowLifeMs;
    const life: Change["set"] = [
      [["expiresAt"], expiresAt],
      [["expiryShard"], shardOf("session", user)],
      [["ttl"], Math.ceil(expiresAt / 1000)],
    ];
    const set = [...(change.set ?? []), ...life];
    const row = await this.#sessions.update(sessionsKey.rate(user), { ...change, set }, { all });
    if (!row) return false;
    if (this.#seen.size >= rememberedUsers) this.#seen.clear();
    this.#seen.set(user, Number(row["fullAt"]));
    return true;
  }
}
