import { createHmac } from "node:crypto";
import * as z from "zod";
import { ScoutsError } from "../../events/errors.ts";
import type { UserId } from "../../events/ids.ts";
import { expiry } from "../index-entries.ts";
import { sessionsKey } from "../keys.ts";
import type { Clock } from "../ports/clock.ts";
import { changeOf } from "../ports/row-change.ts";
import type { Condition, Key, Table } from "../ports/table.ts";
import { storedRow } from "../stored-row.ts";
import { isAhead } from "../until.ts";

const lifeMs = 24 * 3_600_000;

const claimRow = z.object({
  fingerprint: z.string(),
  resultId: z.string(),
  finished: z.boolean().default(false),
  expiresAt: z.number(),
});
type ClaimRow = z.infer<typeof claimRow>;

export interface IdempotentRequest {
  readonly user: UserId;
  readonly operation: string;
  /** As the client sent it. */
  readonly key: string;
  /** The parsed body; JSON of it is the same for the same request. */
  readonly body: unknown;
}

export interface Claim {
  /** The id of what this request makes, or has made. */
  readonly resultId: string;
  /** Whether it was made: if it is not there any more, it has been deleted since. */
  readonly finished: boolean;
}

/**
 * Requests that are made once however often they are sent (`Idempotency-Key`, draft-ietf-httpapi-idempotency-key-header).
 * Kept for a day is not the answer, which is content, but the id of what was made: the answer is written anew from it.
 * Key and body are kept as HMACs. The id is settled before anything is made under it, so that a repeat after a crash
 * goes on with the same id:
 *
 *   first   claims id 1 ─ † dies
 *   repeat                    claims: id 1, unfinished ─ makes 1 (there already is fine) ─ finished
 */
export class Idempotency {
  readonly #sessions: Table;
  readonly #key: Uint8Array;
  readonly #clock: Clock;

  constructor(sessions: Table, key: Uint8Array, clock: Clock) {
    this.#sessions = sessions;
    this.#key = key;
    this.#clock = clock;
  }

  /** @throws idempotency_conflict when the key came with another body before */
  async claim(request: IdempotentRequest, newId: string): Promise<Claim> {
    const nowMs = this.#clock();
    const key = this.#rowKey(request);
    const fingerprint = this.#digest("body", JSON.stringify(request.body));
    const placed = await this.#sessions.put(
      {
        ...key,
        fingerprint,
        resultId: newId,
        ...expiry.of(key.sk, nowMs + lifeMs),
      },
      { any: [{ absent: ["pk"] }, { path: ["expiresAt"], is: "<=", value: nowMs }] },
    );
    if (placed) return { resultId: newId, finished: false };
    const item = await this.#sessions.get(key);
    // Swept between the two: whoever asks again finds it free.
    if (!item) throw new ScoutsError("conflict");
    const row = storedRow(item, (stored) => claimRow.parse(stored));
    if (row.fingerprint !== fingerprint) {
      if (isAhead(row.expiresAt, nowMs, lifeMs)) throw new ScoutsError("idempotency_conflict");
      return this.#replace(key, row, { fingerprint, resultId: newId }, nowMs);
    }
    return { resultId: row.resultId, finished: row.finished };
  }

  /**
   * For another request under a key whose time was never meant. The same request keeps its claim even then: made twice is
   * worse than remembered too long.
   */
  async #replace(key: Key, stale: ClaimRow, fresh: Pick<ClaimRow, "fingerprint" | "resultId">, nowMs: number) {
    const row = { ...key, ...fresh, ...expiry.of(key.sk, nowMs + lifeMs) };
    const same: Condition = { path: ["resultId"], is: "=", value: stale.resultId };
    if (!(await this.#sessions.put(row, same))) throw new ScoutsError("conflict");
    return { resultId: fresh.resultId, finished: false };
  }

  async finish(request: IdempotentRequest): Promise<void> {
    await this.#sessions.update(this.#rowKey(request), changeOf<ClaimRow>({ set: { finished: true } }), {
      exists: ["pk"],
    });
  }

  #rowKey({ user, operation, key }: IdempotentRequest) {
    return sessionsKey.idempotency(user, this.#digest("key", `${operation}\n${key}`));
  }

  #digest(what: "key" | "body", text: string): string {
    return createHmac("sha256", this.#key).update(`idempotency ${what}\n${text}`).digest("base64url");
  }
}
