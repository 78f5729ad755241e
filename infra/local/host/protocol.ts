import { stackFrames } from "../../../shared/privacy/stack-frames.ts";
import type { CrashPoint } from "../faults.ts";

/** What a function's thread is started with, besides its environment. */
export interface ThreadData {
  file: string;
  exportName: string;
  /** Where the code lies if it was built, so that traces can name its sources. */
  builtFolder: string | undefined;
  /** Where V8 keeps what it has compiled; undefined where no folder is this account's alone. */
  codeCache: string | undefined;
  functionName: string;
  functionArn: string;
  memoryMb: number;
}

/** One event for the handler. Events and results cross as JSON, as on Lambda. */
export interface Invoke {
  requestId: string;
  event: string;
  /** How long it may take. A moment instead would be one of a clock that somebody may set meanwhile. */
  timeoutMs: number;
  crash: CrashPoint | undefined;
}

/** An error without anything it quotes: messages carry content (`JSON.parse`, zod and URL errors quote their input). */
export interface ErrorSummary {
  errorType: string;
  errorCode?: string;
  /** An authorizer's way to answer 401: an error with exactly the message "Unauthorized". */
  unauthorized?: true;
  at: string[];
}

export type ThreadMessage =
  | { type: "ready" }
  | { type: "result"; requestId: string; result: string }
  | { type: "failed"; requestId: string; error: ErrorSummary };

/** Keeps of an error its class, its code and where it was thrown. */
export function summarise(error: unknown): ErrorSummary {
  if (!(error instanceof Error)) return { errorType: typeof error, at: [] };
  const code = "code" in error && typeof error.code === "string" ? { errorCode: error.code } : {};
  const unauthorized = error.message === "Unauthorized" ? ({ unauthorized: true } as const) : {};
  const at = stackFrames(error).map((frame) => frame.slice("at ".length));
  return { errorType: error.name, ...code, ...unauthorized, at: at.slice(0, 10) };
}
