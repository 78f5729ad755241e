import { ledgerKey } from "../keys.ts";
import type { ModelProbeResult } from "../llm/model-probe.ts";
import type { Clock, Random } from "../ports/clock.ts";
import { changeOf, type RowChange } from "../ports/row-change.ts";
import type { Condition, Table } from "../ports/table.ts";
import { type BreakerRow, openOf, parseBreakerRow } from "./breaker-row.ts";
import { isAnswer, opens } from "./judge-probe.ts";

/** A probe takes at most this long. */
export const probeTimeoutMs = 8_000;
/** The lease outlives the probe and its two writes. */
const leaseMs = 30_000;
const firstPauseMs = 20_000;
const longestPauseMs = 5 * 60_000;
/** Times further ahead than any rule here makes were written by a clock that was wrong. */
const credibleMs = 2 * longestPauseMs;

export interface StorePorts {
  readonly ledger: Table;
  readonly clock: Clock;
  readonly random: Random;
  readonly newId: () => string;
  /** Digest of the model's settings here: key, address, name. */
  readonly setting: string;
}

export interface Lease {
  readonly id: string;
  /** As it was found, with the lease. */
  readonly row: BreakerRow;
}

/** The breaker's row in the Ledger: written by who probes, never for an item. */
export class BreakerStore {
  readonly #ports: StorePorts;

  constructor(ports: StorePorts) {
    this.#ports = ports;
  }

  /**
   * Makes one environment the prober, if a probe is due and nobody else is at it:
   *
   *   A  leases ✓ ── probes ──────────── writes: still A's ✓
   *   B      leases ✗ (A's)                                         B goes by what the row says then
   *   C  leases ✓ ── stops for a minute …                 writes ✗: D's by now, and D's probe is the newer one
   *   D                      leases ✓ (C's is over) ─ probes ─ writes ✓
   */
  async lease(): Promise<Lease | undefined> {
    const { ledger, clock, newId, setting } = this.#ports;
    const nowMs = clock();
    const id = newId();
    const change = changeOf<BreakerRow>({ set: { prober: id, leaseUntil: nowMs + leaseMs } });
    const when: Condition = {
      all: [notAhead("leaseUntil", nowMs), { any: [notAhead("nextProbeAt", nowMs), other(setting)] }],
    };
    const item = await ledger.update(ledgerKey.breaker(), change, when);
    return item ? { id, row: parseBreakerRow(item) } : undefined;
  }

  /** Writes what a probe found. @returns the row, or undefined when somebody else probes by now */
  async probed({ id, row }: Lease, startedAtMs: number, result: ModelProbeResult): Promise<BreakerRow | undefined> {
    const { ledger, clock, setting } = this.#ports;
    const nowMs = clock();
    const found = isAnswer(result) ? this.#answered(row, startedAtMs, nowMs) : this.#failed(row, result, nowMs);
    const change = changeOf<BreakerRow>({
      set: { ...found, probedAt: nowMs, setting },
      remove: ["prober", "leaseUntil", ...(isAnswer(result) ? trouble : [])],
    });
    const item = await ledger.update(ledgerKey.breaker(), change, { path: ["prober"], is: "=", value: id });
    return item ? parseBreakerRow(item) : undefined;
  }

  #answered(row: BreakerRow, startedAtMs: number, nowMs: number): Found {
    return {
      goodAt: startedAtMs,
      failedProbes: 0,
      nextProbeAt: nowMs + this.#jittered(firstPauseMs),
      closedAt: openOf(row) ? nowMs : undefined,
    };
  }

  #failed(row: BreakerRow, result: Extract<ModelProbeResult, { ok: false }>, nowMs: number): Found {
    const failedProbes = row.failedProbes + 1;
    const failingSince = row.failingSince ?? nowMs;
    const growing = Math.min(firstPauseMs * 2 ** (failedProbes - 1), longestPauseMs);
    const asked = Math.min(result.retryAfterMs ?? 0, longestPauseMs);
    const nextProbeAt = nowMs + this.#jittered(Math.max(growing, asked));
    const wasOpen = openOf(row);
    const isOpen = wasOpen || opens(result.code, failedProbes, nowMs - failingSince);
    const why = isOpen ? { code: result.code, since: wasOpen?.sinceMs ?? nowMs } : {};
    return { failedProbes, failingSince, nextProbeAt, ...why };
  }

  /** Deployments that share a model do not ask it at the same moment. */
  #jittered(pauseMs: number): number {
    return Math.round(pauseMs * (0.75 + this.#ports.random() / 2));
  }
}

type Found = RowChange<BreakerRow>["set"] & object;

/** What an answer puts an end to. */
const trouble = ["code", "since", "failingSince"] as const;

/** The time is past, absent, or one that no rule here could have made. */
function notAhead(attribute: string, nowMs: number): Condition {
  return {
    any: [
      { absent: [attribute] },
      { path: [attribute], is: "<=", value: nowMs },
      { path: [attribute], is: ">", value: nowMs + credibleMs },
    ],
  };
}

function other(setting: string): Condition {
  return {
    any: [
      { path: ["setting"], is: "<", value: setting },
      { path: ["setting"], is: ">", value: setting },
    ],
  };
}
