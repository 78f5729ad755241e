import type { SeededRandom } from "./random.ts";

/**
 * Everything that may go wrong, with the highest probability it is given. Per call of a port: `crash_before` …
 * `slow_call`; per message, per mail, per frame or per tick: the others.
 */
const highestRates = {
  /** The function dies before its request takes effect. */
  crash_before: 0.008,
  /** The function dies when its request has taken effect. */
  crash_after: 0.008,
  /** The service refuses; nothing has happened. */
  throttle: 0.03,
  /** The service has done it and its answer is lost. */
  lost_answer: 0.02,
  /** The client library has sent the request twice. */
  applied_twice: 0.02,
  /** Seconds instead of milliseconds: functions overtake each other and run into their timeouts. */
  slow_call: 0.02,
  /** A function has hardly more time than it keeps back for its end. */
  short_timeout: 0.3,
  duplicate_delivery: 0.1,
  /** The message is visible again while its worker still works. */
  visibility_expiry: 0.1,
  /** The worker was done and its message is delivered again all the same. */
  lost_delete: 0.05,
  /** A cron's tick comes late or not at all. */
  late_cron: 0.3,
  /** Index entries appear up to a minute late. */
  index_lag: 0.5,
  /** A function's clock is wrong by up to five seconds. */
  clock_skew: 0.5,
  /** The gateway has dropped a connection that a row still names: HTTP 410. */
  gone_410: 0.01,
  /** A connection breaks with what was on its way; neither side may know at first. */
  cut_connection: 0.01,
  lost_disconnect: 0.5,
  device_crash: 0.3,
  model_429: 0.15,
  model_500: 0.1,
  model_invalid: 0.03,
  model_refusal: 0.03,
  /** Another verdict each time it is asked. */
  model_fickle: 0.1,
  /** The model's key, name, address or account is wrong for a while: nothing can be asked, the probe neither. */
  model_down: 0.5,
  /** The model answers nobody for a while, not even the probe: every request runs into its timeout. */
  model_hangs: 0.3,
  /** Mail of which the model, or a proxy before it, says for ever what it says of a wrong key or a server that fails. */
  model_denies: 0.05,
  /** Mail at which the model never comes to an end, while all other is fine. */
  model_stuck: 0.05,
  /** Mail that kills whoever reads it. */
  poison: 0.03,
  gmail_429: 0.15,
  gmail_5xx: 0.15,
  gmail_401: 0.03,
  gmail_network: 0.03,
  history_lost: 0.4,
  /** A page token the source does not take any more: HTTP 400. */
  page_token_refused: 0.1,
  grant_withdrawn: 0.3,
  duplicate_push: 0.2,
  late_push: 0.3,
  lost_push: 0.3,
  removed_at_source: 0.15,
  /** Gmail has set the watch up, or stopped it, and nobody hears of it. */
  gmail_lost_answer: 0.2,
  /** Google refuses to tell of news, for a while or for good: its permission to publish is missing, or the topic is. */
  watch_refused: 0.4,
  /** Mail whose subject, snippet and recipients go far beyond what a frame holds. */
  oversize_fields: 0.08,
  /** A server cuts the connection: before it has done what was asked, or in the middle of its answer. */
  imap_cut: 0.04,
  /** Answers that take longer than a task may. */
  imap_slow: 0.03,
  /** A server that does not want to, now: NO to what it does otherwise. */
  imap_busy: 0.03,
  /** Too many connections already, of whoever. */
  imap_limit: 0.1,
  /** A folder is restored from a backup: another UIDVALIDITY, other numbers. */
  imap_renumbered: 0.6,
  feed_network: 0.05,
  feed_refuses: 0.1,
  /** The document ends in the middle. */
  feed_breaks_off: 0.1,
  /** A feed, or the disk that mailbox files are on, is away for a while: once for so many of its items. */
  source_vanishes: 0.2,
  /** Not faults, but nobody is to lose mail by them: what people do with their scouts. */
  scout_paused: 0.5,
  scout_deleted: 0.15,
  /** A scout rests after a day or three without a device. */
  scout_rests: 0.5,
} as const;

export type FaultKind = keyof typeof highestRates;
export const faultKinds = Object.keys(highestRates) as FaultKind[];

/**
 * Which faults a run has and how often. Each run has its own mix ("swarm testing"): with everything on at once the rarer
 * orders of events never come about.
 */
export class Faults {
  readonly #random: SeededRandom;
  readonly #rates = new Map<FaultKind, number>();
  /** How often each was injected. */
  readonly injected = new Map<FaultKind, number>();
  on = true;

  constructor(random: SeededRandom, only?: readonly FaultKind[]) {
    this.#random = random;
    for (const kind of faultKinds) {
      const rate = highestRates[kind] * random.pick([0, 0, 0.2, 0.5, 1]);
      this.#rates.set(kind, only && !only.includes(kind) ? 0 : rate);
    }
  }

  /** Draws: whether this fault happens here and now. */
  strikes(kind: FaultKind): boolean {
    const rate = this.#rates.get(kind) ?? 0;
    if (!this.on || rate === 0 || !this.#random.chance(rate)) return false;
    this.injected.set(kind, (this.injected.get(kind) ?? 0) + 1);
    return true;
  }

  /** The first of these that happens, if any. */
  first<K extends FaultKind>(kinds: readonly K[]): K | undefined {
    return kinds.find((kind) => this.strikes(kind));
  }
}
