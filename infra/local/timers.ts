import { Cron } from "croner";
import { type Clock, systemClock } from "./gateway/connections.ts";
import type { CronNode } from "./graph.ts";
import type { Outcome } from "./host/execution.ts";
import type { Pools } from "./host/pools.ts";

const unitMs: Record<string, number> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** Pause before an invocation that failed is tried again; the Scheduler itself backs off over hours. */
const retryDelayMs = 1000;

/** Days of the week as the Scheduler numbers them (1 = Sunday) in croner's numbers (0 = Sunday). */
const dayOfWeek = (field: string) => field.replace(/\d(?!#)/g, (digit) => String(Number(digit) - 1));

/**
 * When a schedule fires next, in epoch milliseconds: `rate(5 minutes)`, `cron(15 10 ? * MON-FRI *)` (minute, hour, day
 * of month, month, day of week, year) or `at(2026-11-20T13:00:00)` (EventBridge Scheduler, "Schedule types").
 */
export function nextRun(schedule: string, timezone: string, fromMs: number): number | undefined {
  const [, kind, expression = ""] = /^(rate|cron|at)\((.+)\)$/.exec(schedule) ?? [];
  if (kind === "rate") {
    const [, count, unit = ""] = /^(\d+) (minute|hour|day)s?$/.exec(expression) ?? [];
    const ms = unitMs[unit];
    if (ms !== undefined) return fromMs + Number(count) * ms;
  }
  if (kind === "cron") {
    const [minute, hour, dayOfMonth, month, weekday = "?", year = "*"] = expression.split(/\s+/);
    const pattern = `0 ${minute} ${hour} ${dayOfMonth} ${month} ${dayOfWeek(weekday)} ${year}`;
    return new Cron(pattern, { timezone, paused: true }).nextRun(new Date(fromMs))?.getTime();
  }
  if (kind === "at") {
    const atMs = new Cron(expression, { timezone, paused: true }).nextRun(new Date(fromMs))?.getTime();
    return atMs;
  }
  throw new Error(`"${schedule}" is not a schedule.`);
}

/** Invokes functions by the clock, and on demand. */
export class Timers {
  readonly #crons: Record<string, CronNode>;
  readonly #pools: Pools;
  readonly #clock: Clock;
  readonly #pending = new Map<string, { cancel(): void }>();
  #stopped = false;

  constructor(crons: Record<string, CronNode>, pools: Pools, clock: Clock = systemClock) {
    this.#crons = crons;
    this.#pools = pools;
    this.#clock = clock;
  }

  start(): void {
    for (const cron of Object.values(this.#crons)) if (cron.enabled) this.#plan(cron);
  }

  #plan(cron: CronNode): void {
    const now = this.#clock.now();
    const next = nextRun(cron.schedule, cron.timezone, now);
    if (next === undefined) return;
    const timer = this.#clock.setTimeout(() => {
      this.#plan(cron);
      void this.#invoke(cron, cron.retries);
    }, next - now);
    this.#pending.set(cron.name, timer);
  }

  async #invoke(cron: CronNode, retriesLeft: number): Promise<void> {
    const outcome = await this.#pools.get(cron.function)?.invoke(cron.event);
    if (outcome === undefined || outcome.status === "success" || retriesLeft === 0 || this.#stopped) return;
    const retry = this.#clock.setTimeout(() => void this.#invoke(cron, retriesLeft - 1), retryDelayMs);
    this.#pending.set(`${cron.name} retry`, retry);
  }

  /** Runs a cron's function once, now. @returns how it ended, or nothing for an unknown name */
  run(name: string): Promise<Outcome> | undefined {
    const cron = this.#crons[name];
    return cron && this.#pools.get(cron.function)?.invoke(cron.event);
  }

  stop(): void {
    this.#stopped = true;
    for (const timer of this.#pending.values()) timer.cancel();
  }
}
