import { useSyncExternalStore } from "react";

const minuteMs = 60_000;

function everyMinute(listener: () => void): () => void {
  const timer = setInterval(listener, minuteMs);
  return () => clearInterval(timer);
}

/**
 * This minute, in milliseconds since the epoch. It goes on while a page is open that says how long ago something was.
 *
 * @param clock milliseconds since the epoch
 */
export const useThisMinute = (clock: () => number): number =>
  useSyncExternalStore(everyMinute, () => Math.floor(clock() / minuteMs) * minuteMs);
