import { type ErrorData, isScoutsError } from "../events/errors.ts";
import type { Log } from "../shared/ports/log.ts";
import { stackFrames } from "../shared/privacy/stack-frames.ts";
import { countOf } from "./metrics.ts";

const maxFrames = 12;

/**
 * Writes JSON lines to stdout, which Lambda hands to CloudWatch. The only place that sees errors, and of an error it
 * writes class, code and stack locations: messages and causes quote what they failed on, and that may be content.
 */
export const log: Log = {
  event(code, data = {}) {
    const nowMs = Date.now();
    write(nowMs, { level: "info", code, ...data, ...countOf(code, undefined, nowMs) });
  },
  error(code, error, data = {}) {
    const nowMs = Date.now();
    const errorCode = isScoutsError(error) ? error.code : undefined;
    write(nowMs, { level: "error", code, ...data, ...describe(error), ...countOf(code, errorCode, nowMs) });
  },
};

function write(nowMs: number, line: Record<string, unknown>): void {
  process.stdout.write(`${JSON.stringify({ time: new Date(nowMs).toISOString(), ...line })}\n`);
}

function describe(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: typeof error };
  const described: Record<string, unknown> = { error: error.name, at: stackFrames(error).slice(0, maxFrames) };
  if (isScoutsError(error))
    Object.assign(described, { errorCode: error.code, errorData: error.data satisfies ErrorData });
  if (error.cause instanceof Error) described["cause"] = describe(error.cause);
  return described;
}
