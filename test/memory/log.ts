import type { ErrorCode } from "../../events/error-kinds.ts";
import { isScoutsError } from "../../events/errors.ts";
import type { Log } from "../../shared/ports/log.ts";

/** For tests that look at no log. */
export const noLog: Log = { event: () => {}, error: () => {} };

/** Keeps what errors were told of, by event and code. */
export class MemoryLog implements Log {
  readonly errors: [event: string, code: ErrorCode | undefined][] = [];

  event(): void {}

  error(event: string, error: unknown): void {
    this.errors.push([event, isScoutsError(error) ? error.code : undefined]);
  }
}
