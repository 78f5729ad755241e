import { setTimeout } from "node:timers/promises";
import * as z from "zod";
import { askCloud, type CloudApi } from "../../device/connect/cloud-api.ts";
import { isScoutsError } from "../../events/errors.ts";
import type { ScoutId } from "../../events/ids.ts";
import { mayPass } from "./account.ts";

/**
 * The pause after the first round without news; each is twice the one before, half a minute in all: a mailbox whose
 * minute is spent (a run that was killed spends it too) must be given time, not asked five times at once.
 */
const firstPauseMs = 2_000;

/** Milliseconds to wait after so many rounds, from 1. */
export const pauseMs = (round: number): number => firstPauseMs * 2 ** (round - 1);

/** Ends early when its work is interrupted. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

/** How often news are told that nobody takes, before the next poll is left to find them: a minute in all. */
const newsTries = 6;

/**
 * Has a scout look at its source, which has news. Nobody tells of them twice, so what is refused for the moment (too many
 * requests at once, say) is asked again.
 *
 * @param wait pauses so many milliseconds, less once the signal is aborted
 * @returns whether it looks at all: one that is paused, switched off or removed finds what came when it looks again
 */
export async function tellOfNews(api: CloudApi, scoutId: ScoutId, signal: AbortSignal, wait = pause): Promise<boolean> {
  for (let attempt = 1; !signal.aborted; attempt += 1) {
    try {
      await askCloud(api, "POST", `/api/v1/scouts/${scoutId}/run`, z.unknown());
      return true;
    } catch (error) {
      if (isScoutsError(error) && error.kind.retry === "never") return false;
      if (signal.aborted || (mayPass(error) && attempt === newsTries)) return true;
      if (!mayPass(error)) throw error;
    }
    await wait(pauseMs(attempt), signal);
  }
  return true;
}
