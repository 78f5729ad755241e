import { ScoutsError } from "../../../events/errors.ts";
import type { After, Clock } from "../../ports/clock.ts";
import type { Condition, Key, Table } from "../../ports/table.ts";

/** Asking for tokens takes ten seconds at most, and writing them moments: who has a turn for longer has died. */
const turnMs = 15_000;
const pauseMs = 250;
/** A little longer than a turn: whoever waits sees what became of it. */
const maxPauses = turnMs / pauseMs + 8;

export interface TurnPorts {
  readonly ledger: Table;
  readonly clock: Clock;
  readonly after: After;
}

/** Tokens that were asked for. */
export interface Renewed<A> {
  readonly access: A;
  /** Whether the row was written as a whole, which ends the turn. */
  readonly written: boolean;
}

/**
 * Has one worker at a time spend a refresh token. It may be good once: the answer holds the next one, and a server that
 * sees a spent one again may end the whole grant (RFC 6749 §6, RFC 9700 §4.14.2). The turn stands in the row that keeps the token:
 *
 *   worker A   reads R₁ ─ takes the turn ─ asks with R₁ ─ writes R₂ and an access token, which ends the turn
 *   worker B      reads R₁ ─ takes ✗ ─ waits … ────────────────────────────────────────────── reads A's access token
 *
 * Who dies between the answer and the write takes R₂ along. The turn lapses, the next one is refused (`reauth`), and the
 * owner is asked to connect anew.
 *
 * @param usable what the row holds, where it can be used as it is; looked for again after every wait
 * @param renew asks, and writes what is answered
 * @param when what must hold of the row besides
 * @throws source_unavailable when others are at it for longer than a turn; what `usable` and `renew` throw
 */
export async function inTurn<A>(
  { ledger, clock, after }: TurnPorts,
  key: Key,
  { usable, renew, when }: { usable(): Promise<A | undefined>; renew(): Promise<Renewed<A>>; when?: Condition },
): Promise<A> {
  for (let pauses = 0; pauses <= maxPauses; pauses += 1) {
    const found = await usable();
    if (found !== undefined) return found;
    const untilMs = await take(ledger, key, clock(), when);
    if (untilMs === undefined) {
      await new Promise<void>((resolve) => after(pauseMs, resolve));
      continue;
    }
    // Somebody may have written between the two.
    const { access, written } = await (async () => {
      const late = await usable();
      return late === undefined ? renew() : { access: late, written: false };
    })().catch(async (error: unknown) => {
      await giveBack(ledger, key, untilMs);
      throw error;
    });
    if (!written) await giveBack(ledger, key, untilMs);
    return access;
  }
  throw new ScoutsError("source_unavailable", { data: { what: "refresh" } });
}

/** @returns until when, if it was free. A turn that ends later than any can was written by a clock that has stepped back since */
async function take(ledger: Table, key: Key, nowMs: number, when: Condition | undefined): Promise<number | undefined> {
  const untilMs = nowMs + turnMs;
  const free: Condition = {
    any: [
      { absent: ["refreshUntil"] },
      { path: ["refreshUntil"], is: "<=", value: nowMs },
      { path: ["refreshUntil"], is: ">", value: untilMs },
    ],
  };
  const taken = await ledger.update(
    key,
    { set: [[["refreshUntil"], untilMs]] },
    when === undefined ? free : { all: [when, free] },
  );
  return taken === false ? undefined : untilMs;
}

async function giveBack(ledger: Table, key: Key, untilMs: number): Promise<void> {
  try {
    const own: Condition = { path: ["refreshUntil"], is: "=", value: untilMs };
    await ledger.update(key, { remove: [["refreshUntil"]] }, own);
  } catch {
    // It lapses by itself, and what went wrong before is what counts.
  }
}
