import { isDamage } from "../lock.ts";

/** What keeps the queues from being written: their file is damaged, or its disk refuses (it is full, or can only be read). */
export type QueueTrouble = "damaged" | "refused";

/** What a failure of the queues' file says; nothing where there is none. */
export function queueTrouble(failure: unknown): QueueTrouble | undefined {
  if (failure === undefined) return undefined;
  return isDamage(failure) ? "damaged" : "refused";
}
