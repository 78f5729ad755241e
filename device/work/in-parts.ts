import { setTimeout } from "node:timers/promises";
import { DeviceError, isDeviceError } from "../errors.ts";

/** What becomes durable together as others have their turn, and how long that is: SQLite's waiting writers look every 100 ms. */
const partLength = 250;
const othersTurnMs = 30;
const restFollows = "Import the file again, and the rest follow.";

export interface InParts {
  /** Hears how many were looked at, after each part. */
  readonly told?: ((done: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Takes what a file has in parts, between which other programs write and this one answers: a file may have tens of thousands of
 * things. What is taken stays; the same file taken again is to take the rest.
 *
 * @param take takes a part, all of it or, when it throws, nothing of it
 * @param what they are, as a sentence counts them: `events`
 * @throws DeviceError `interrupted`, and what keeps the store from going on, which say how many are in
 */
export async function takeInParts<T>(
  all: readonly T[],
  take: (part: readonly T[]) => void,
  what: "events" | "tasks",
  { told, signal }: InParts,
): Promise<void> {
  for (let done = 0; done < all.length; done += partLength) {
    if (done > 0) await setTimeout(othersTurnMs);
    if (signal?.aborted) {
      const sentence = `Interrupted: ${done} of ${all.length} ${what} were looked at. ${restFollows}`;
      throw new DeviceError("interrupted", { sentence });
    }
    try {
      take(all.slice(done, done + partLength));
    } catch (error) {
      throw ofPart(error, `${done} of ${all.length} ${what}`);
    }
    told?.(Math.min(done + partLength, all.length));
  }
}

/** What ends an import in its middle, with how far it came: what is in is told nowhere else. */
function ofPart(error: unknown, looked: string): unknown {
  if (!isDeviceError(error, "store_full", "store_busy", "store_disk")) return error;
  const sentence = `${error.message} ${looked} were looked at before that. ${restFollows}`;
  return new DeviceError(error.code, { sentence, cause: error });
}
