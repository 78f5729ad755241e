import type { ErrorCode } from "../../events/error-kinds.ts";
import type { ModelProbe } from "../llm/model-probe.ts";
import { type BreakerRow, type OpenBreaker, openOf } from "./breaker-row.ts";
import { BreakerStore, type Lease, probeTimeoutMs, type StorePorts } from "./breaker-store.ts";
import { type Breaker, BreakerView, type ViewPorts } from "./breaker-view.ts";

/** The probe, with its writes. */
const probeTakesMs = probeTimeoutMs + 1_000;
/**
 * What a worker keeps back of its time for the probe. A request that is given up ends later than it was told to: without
 * some room for that, a text at which the model never ends would be nobody's affair, and tried for ever.
 */
export const probeReserveMs = probeTakesMs + 4_000;

/** Whose affair a failed request was. */
export type FailureOrigin =
  /** The model cannot be asked: wait until it can. */
  | { readonly whose: "model"; readonly open: OpenBreaker }
  /** The model answered the probe while the request failed. */
  | { readonly whose: "item" }
  /** Nobody knows yet: somebody else probes, the model fails for the moment, or there was no time. Ask again. */
  | { readonly whose: "unclear" };

/** A breaker whose worker asks the model itself. */
export interface AskingBreaker extends Breaker {
  /**
   * Asks the probe, if that is due, who is to blame for a failed request. MUST NOT throw.
   *
   * @param startedAtMs when the request was begun: a probe that was answered since then speaks for the model
   * @param remainingMs what is left of the worker's time
   */
  blame(code: ErrorCode, startedAtMs: number, remainingMs: number): Promise<FailureOrigin>;
}

export interface BreakerPorts extends StorePorts, ViewPorts {
  readonly probe: ModelProbe;
}

/**
 * Keeps a deployment from asking a model that cannot answer. It opens when the fixed probe fails, never by an item: one
 * poison mail would close the door to everybody. While it is open nothing new is listed, what was queued waits as rows,
 * and nothing is spent; the due cron probes at a growing pace, and what waited is drained when the model answers.
 */
export class ModelBreaker implements AskingBreaker {
  readonly #ports: BreakerPorts;
  readonly #view: BreakerView;
  readonly #store: BreakerStore;
  #probing: Promise<BreakerRow> | undefined;

  constructor(ports: BreakerPorts, view: BreakerView = new BreakerView(ports)) {
    this.#ports = ports;
    this.#view = view;
    this.#store = new BreakerStore(ports);
  }

  current(): Promise<OpenBreaker | undefined> {
    return this.#view.current();
  }

  async blame(code: ErrorCode, startedAtMs: number, remainingMs: number): Promise<FailureOrigin> {
    const known = blameBy(await this.#view.row(), startedAtMs);
    if (known.whose !== "unclear" || remainingMs < probeTakesMs) return known;
    this.#ports.log.event("model_suspected", { suspect: code });
    return blameBy(await this.#probeOnce(), startedAtMs);
  }

  /**
   * The due cron's part: probes when that is due, and says once a minute that the breaker is open, for a metric.
   *
   * @returns the row as it stands then
   */
  async tick(): Promise<BreakerRow> {
    const { clock, log } = this.#ports;
    const before = await this.#view.readNow();
    // A model that nothing is known against is not asked: its users would be the first to notice.
    const row = before.failedProbes > 0 ? await this.#probeOnce() : before;
    const open = openOf(row);
    if (open)
      log.event("model_breaker_open", { reason: open.code, since: open.sinceMs, openMs: clock() - open.sinceMs });
    return row;
  }

  /** However many requests fail at once, an environment probes once. */
  #probeOnce(): Promise<BreakerRow> {
    this.#probing ??= this.#probe().finally(() => {
      this.#probing = undefined;
    });
    return this.#probing;
  }

  async #probe(): Promise<BreakerRow> {
    const { probe, clock, log } = this.#ports;
    try {
      const lease = await this.#store.lease();
      if (!lease) return await this.#view.readNow();
      const startedAtMs = clock();
      const result = await probe.probe({ timeoutMs: probeTimeoutMs });
      const row = await this.#store.probed(lease, startedAtMs, result);
      if (!row) return await this.#view.readNow();
      this.#view.saw(row);
      this.#tell(lease, row);
      return row;
    } catch (error) {
      log.error("model_not_probed", error);
      return this.#view.row();
    }
  }

  /** Transitions, for alarms: whoever holds the lease when one happens says so. */
  #tell({ row: before }: Lease, after: BreakerRow): void {
    const { clock, log } = this.#ports;
    const [was, is] = [openOf(before), openOf(after)];
    if (!was && is) log.event("model_breaker_opened", { reason: is.code, since: is.sinceMs });
    if (was && is && was.code !== is.code) log.event("model_breaker_reason", { reason: is.code, since: is.sinceMs });
    if (was && !is) {
      log.event("model_breaker_closed", { reason: was.code, since: was.sinceMs, openMs: clock() - was.sinceMs });
    }
  }
}

function blameBy(row: BreakerRow, startedAtMs: number): FailureOrigin {
  const open = openOf(row);
  if (open) return { whose: "model", open };
  return row.failedProbes === 0 && (row.goodAt ?? 0) >= startedAtMs ? { whose: "item" } : { whose: "unclear" };
}
