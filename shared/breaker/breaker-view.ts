import { ledgerKey } from "../keys.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import { changeOf } from "../ports/row-change.ts";
import type { Table } from "../ports/table.ts";
import { type BreakerRow, type OpenBreaker, openOf, parseBreakerRow } from "./breaker-row.ts";

/** An environment reads the row this often at most. */
const freshMs = 5_000;

/** Whether the model may be asked. */
export interface Breaker {
  /** Undefined while it may; MUST NOT throw. */
  current(): Promise<OpenBreaker | undefined>;
}

export interface ViewPorts {
  readonly ledger: Table;
  readonly clock: Clock;
  readonly log: Log;
}

/** The breaker as one environment sees it: at most five seconds old. Kept for the environment's life. */
export class BreakerView implements Breaker {
  readonly #ports: ViewPorts;
  #row: BreakerRow = parseBreakerRow(undefined);
  #readAtMs = Number.NEGATIVE_INFINITY;
  #reading: Promise<BreakerRow> | undefined;

  constructor(ports: ViewPorts) {
    this.#ports = ports;
  }

  async current(): Promise<OpenBreaker | undefined> {
    return openOf(await this.row());
  }

  /** The row. A table that does not answer is no reason to stand still: what was known last is answered. */
  async row(): Promise<BreakerRow> {
    const ageMs = this.#ports.clock() - this.#readAtMs;
    // A clock that was set back must not keep an old answer for ever.
    if (ageMs >= 0 && ageMs < freshMs) return this.#row;
    this.#reading ??= this.readNow().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /** Somebody waits for news: the next tick of the due cron probes, whatever its pause. */
  async requestProbe(): Promise<void> {
    try {
      const change = changeOf<BreakerRow>({ set: { nextProbeAt: this.#ports.clock() } });
      await this.#ports.ledger.update(ledgerKey.breaker(), change, { exists: ["code"] });
    } catch (error) {
      this.#ports.log.error("probe_not_requested", error);
    }
  }

  async readNow(): Promise<BreakerRow> {
    try {
      this.saw(parseBreakerRow(await this.#ports.ledger.get(ledgerKey.breaker())));
    } catch (error) {
      this.#ports.log.error("breaker_not_read", error);
    }
    return this.#row;
  }

  /** Somebody here has just read or written it. */
  saw(row: BreakerRow): void {
    this.#row = row;
    this.#readAtMs = this.#ports.clock();
  }
}
