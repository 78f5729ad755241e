import type { Clock } from "../../infra/local/gateway/connections.ts";

/** Time that moves when told to. */
export function manualClock(startMs = 1_700_000_000_000): Clock & { advance(ms: number): void } {
  let nowMs = startMs;
  let timers: { atMs: number; callback: () => void }[] = [];
  return {
    now: () => nowMs,
    setTimeout(callback, delayMs) {
      const timer = { atMs: nowMs + delayMs, callback };
      timers.push(timer);
      return {
        cancel: () => {
          timers = timers.filter((other) => other !== timer);
        },
      };
    },
    advance(ms) {
      const untilMs = nowMs + ms;
      for (;;) {
        const next = timers.filter(({ atMs }) => atMs <= untilMs).toSorted((a, b) => a.atMs - b.atMs)[0];
        if (!next) break;
        timers = timers.filter((timer) => timer !== next);
        nowMs = next.atMs;
        next.callback();
      }
      nowMs = untilMs;
    },
  };
}
