import type { ErrorData } from "../../events/errors.ts";

/** Writes facts for operators. Codes, ids and counts only; an error is reduced to class, code and stack locations. */
export interface Log {
  event(code: string, data?: ErrorData): void;
  error(code: string, error: unknown, data?: ErrorData): void;
}
