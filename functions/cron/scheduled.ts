import { log } from "../log.ts";

/**
 * A Lambda handler for EventBridge Scheduler, which delivers at least once and retries what throws. The error thrown is
 * a new one: the runtime writes it to the log, and the original may quote content.
 */
export function scheduled(name: string, run: () => Promise<Record<string, number>>): () => Promise<void> {
  return async () => {
    try {
      log.event(`${name}_ran`, await run());
    } catch (error) {
      log.error(`${name}_failed`, error);
      throw new Error(`${name} failed`);
    }
  };
}
