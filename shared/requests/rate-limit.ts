import { ScoutsError } from "../../events/errors.ts";
import type { UserId } from "../../events/ids.ts";
import { type ExpiryEntry, expiry } from "../index-entries.ts";
import { sessionsKey } from "../keys.ts";
import type { Clock } from "../ports/clock.ts";
import { changeOf, type RowChange } from "../ports/row-change.ts";
import type { Condition, Table } from "../ports/table.ts";
import { boundedWaitMs } from "./wait.ts";

/** How much of something at once, and how often from then on. */
export interface Rate {
  /** What is counted: each has a row of its own. */
  readonly of: "api" | "frames" | "uploads";
  readonly burst: number;
  readonly everyMs: number;
}

/** What one person may ask of the HTTP API. */
export const apiRate: Rate = { of: "api", burst: 100, everyMs: 500 };

/** When the bucket will be full again, in milliseconds since the epoch. */
type RateRow = { readonly fullAt: number } & ExpiryEntry;

const rowLifeMs = 3_600_000;
const rememberedUsers = 10_000;

/**
 * A token bucket per person, kept as one number, the time at which it will be full again (the generic cell rate
 * algorithm, ITU-T I.371), so that a request is one conditional write that holds across all environments:
 *
 *   full again in the past:            fullAt ← now + cost
 *   in the future, and there is room:  fullAt ← fullAt + cost
 *   further than two bursts are long:  fullAt ← now + cost    (a clock that has stepped back wrote it; nobody is locked out)
 */
export class RateLimit {
  readonly #sessions: Table;
  readonly #clock: Clock;
  readonly #rate: Rate;
  /** Says which of the two writes to try first; decides nothing. */
  readonly #seen = new Map<UserId, number>();

  constructor(sessions: Table, clock: Clock, rate: Rate = apiRate) {
    this.#sessions = sessions;
    this.#clock = clock;
    this.#rate = rate;
  }

  /** Takes one, or so many at once, of what the rate counts; never more than its burst. @throws rate_limited with `retryAfterMs` */
  async take(user: UserId, count = 1): Promise<void> {
    const nowMs = this.#clock();
    const { burst, everyMs } = this.#rate;
    const costMs = count * everyMs;
    const roomUntil = nowMs + burst * everyMs - costMs;
    const idle = () =>
      this.#write(user, nowMs, { set: { fullAt: nowMs + costMs } }, [
        {
          any: [
            { absent: ["fullAt"] },
            { path: ["fullAt"], is: "<=", value: nowMs },
            { path: ["fullAt"], is: ">", value: nowMs + 2 * burst * everyMs },
          ],
        },
      ]);
    const busy = () =>
      this.#write(user, nowMs, { add: { fullAt: costMs } }, [
        { path: ["fullAt"], is: ">", value: nowMs },
        { path: ["fullAt"], is: "<=", value: roomUntil },
      ]);
    const inOrder = (this.#seen.get(user) ?? 0) > nowMs ? [busy, idle] : [idle, busy];
    for (const attempt of inOrder) if (await attempt()) return;
    const row = await this.#sessions.get(sessionsKey.rate(user, this.#rate.of));
    const retryAfterMs = Math.max(boundedWaitMs(Number(row?.["fullAt"] ?? 0) - roomUntil), everyMs);
    throw new ScoutsError("rate_limited", { data: { retryAfterMs } });
  }

  async #write(user: UserId, nowMs: number, fill: RowChange<RateRow>, all: readonly Condition[]): Promise<boolean> {
    const change = changeOf<RateRow>({ ...fill, set: { ...fill.set, ...expiry.of(user, nowMs + rowLifeMs) } });
    const row = await this.#sessions.update(sessionsKey.rate(user, this.#rate.of), change, { all });
    if (!row) return false;
    if (this.#seen.size >= rememberedUsers) this.#seen.clear();
    this.#seen.set(user, Number(row["fullAt"]));
    return true;
  }
}
