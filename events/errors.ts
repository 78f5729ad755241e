import { type ErrorCode, errorKinds } from "./error-kinds.ts";
import type { ErrorKind } from "./errors/error-kind.ts";

/** Facts about a failure that are safe to log and to send: ids, counts, times. Never content. */
export type ErrorData = Readonly<Record<string, string | number | boolean | null>>;

/**
 * The one error of the product. `message` is the code's fixed sentence, so that whoever prints it prints no content;
 * what the underlying library said is kept in `cause`, which only the logger looks at, and only for its class and stack.
 */
export class ScoutsError extends Error {
  readonly code: ErrorCode;
  readonly data: ErrorData;

  constructor(code: ErrorCode, options: { data?: ErrorData; cause?: unknown } = {}) {
    super(errorKinds[code].sentence, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "ScoutsError";
    this.code = code;
    this.data = options.data ?? {};
  }

  get kind(): ErrorKind {
    return errorKinds[this.code];
  }
}

/** Narrows a caught value to {@link ScoutsError}, by code when one is given. */
export function isScoutsError(error: unknown, code?: ErrorCode): error is ScoutsError {
  return error instanceof ScoutsError && (code === undefined || error.code === code);
}
