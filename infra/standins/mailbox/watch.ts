import * as z from "zod";
import type { Meta } from "./store/meta.ts";

const storedWatch = z.object({ topicName: z.string(), expiresAtMs: z.number() });
export type ActiveWatch = z.infer<typeof storedWatch>;

/** A watch lasts seven days (push guide, "Renewing mailbox watch"). */
const lifeMs = 7 * 24 * 3_600_000;

export interface Watch {
  active(): ActiveWatch | undefined;
  start(topicName: string): ActiveWatch;
  stop(): void;
  /** Whether anybody has ever watched: before that no mail arrives. */
  everStarted(): boolean;
}

/** The one watch a mailbox has: a new one takes the place of the one before. @param clock milliseconds since the epoch */
export function openWatch(meta: Meta, clock: () => number): Watch {
  const read = () => {
    const text = meta.get("watch");
    return text ? storedWatch.parse(JSON.parse(text)) : undefined;
  };
  return {
    active: () => {
      const watch = read();
      return watch !== undefined && watch.expiresAtMs > clock() ? watch : undefined;
    },
    start: (topicName) => {
      const watch = { topicName, expiresAtMs: clock() + lifeMs };
      meta.set("watch", JSON.stringify(watch));
      meta.set("everWatched", "yes");
      return watch;
    },
    stop: () => meta.set("watch", ""),
    everStarted: () => meta.get("everWatched") === "yes",
  };
}
