import type { Clock } from "../../connection/clock.ts";
import type { LoggedEvent } from "../contract.ts";
import type { EventLog } from "./event-log.ts";

export interface FollowParts {
  readonly log: Pick<EventLog, "at" | "since" | "onNext">;
  readonly clock: Clock;
  /** Whether the device reaches its cloud. */
  readonly isOnline: () => boolean;
  /** Whether the mail that lay there when the program began is still being read. */
  readonly isReading: () => boolean;
}

/** A stream that is silent for longer is a dead one. */
const beatMs = 15_000;

/**
 * Events behind a place, as they come, until `signal` is aborted. It reads when its reader is ready for more, so a tab that
 * sleeps costs no memory: when it wakes up, it goes on where it was or is told to begin anew.
 */
export async function* followEvents(
  { log, clock, isOnline, isReading }: FollowParts,
  after: string,
  signal: AbortSignal,
): AsyncGenerator<LoggedEvent> {
  let place = after;
  while (!signal.aborted) {
    const news = log.since(place);
    if (news === undefined) {
      place = log.at;
      yield { at: place, event: { type: "reset", online: isOnline(), isReading: isReading() } };
    } else if (news.length === 0) {
      const isNews = await newsOrBeat(log, clock, signal);
      if (!isNews && !signal.aborted) yield { at: place, event: { type: "beat" } };
    } else {
      for (const each of news) {
        place = each.at;
        yield each;
      }
    }
  }
}

async function newsOrBeat(log: FollowParts["log"], clock: Clock, signal: AbortSignal): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const cancel = clock.after(beatMs, () => resolve(false));
  const onAbort = () => resolve(false);
  signal.addEventListener("abort", onAbort, { once: true });
  const leave = log.onNext(() => resolve(true));
  try {
    return await promise;
  } finally {
    cancel();
    leave();
    signal.removeEventListener("abort", onAbort);
  }
}
