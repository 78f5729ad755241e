import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { BoundedOutput } from "./bounded-output.ts";
import { killTree, ownerMarker, ownMark, runMarker } from "./process-tree.ts";
import { type WrittenLimit, watchWritten } from "./written-limit.ts";

export interface SubprocessRequest {
  command: readonly string[];
  /** Absolute. */
  workingDirectory: string;
  environment: Readonly<Record<string, string>>;
  timeoutMs: number;
  /** For standard output and standard error together. */
  maxOutputBytes: number;
  /** What it may write, and where that is looked at. */
  written?: WrittenLimit;
  signal?: AbortSignal;
}

export interface SubprocessOutcome {
  /** `exited` with a code, `signalled` from outside, ended by us (`timed-out`, `cancelled`, `wrote-too-much`), or `not-started`. */
  end: "exited" | "signalled" | "timed-out" | "cancelled" | "wrote-too-much" | "not-started";
  exitCode: number | undefined;
  /** Beginning and end of what was written, with a line in between that says how much was left out. */
  output: Uint8Array;
  droppedBytes: number;
  durationMs: number;
  /** Why it was not started: the system's code (ENOENT, EACCES). */
  reason?: string;
}

/**
 * Runs a program without a shell, in a process group of its own, and leaves nothing of it behind: whatever it started is
 * killed when it ends, is cancelled or takes too long.
 */
export async function runSubprocess(request: SubprocessRequest): Promise<SubprocessOutcome> {
  const startedMs = performance.now();
  const runId = randomUUID();
  const [program = "", ...args] = request.command;
  const output = new BoundedOutput(request.maxOutputBytes);
  const finished = (end: SubprocessOutcome["end"], exitCode?: number, reason?: string): SubprocessOutcome => {
    const { head, tail, droppedBytes } = output.take();
    const note = droppedBytes > 0 ? Buffer.from(`\n[… ${droppedBytes} bytes left out …]\n`) : Buffer.alloc(0);
    const durationMs = performance.now() - startedMs;
    const whole = new Uint8Array(Buffer.concat([head, note, tail]));
    return { end, exitCode, output: whole, droppedBytes, durationMs, ...(reason !== undefined && { reason }) };
  };
  if (request.signal?.aborted) return finished("cancelled");
  const child = spawn(program, args, {
    cwd: request.workingDirectory,
    env: { ...request.environment, [runMarker]: runId, [ownerMarker]: await ownMark() },
    stdio: ["pipe", "pipe", "pipe"],
    detached: process.platform !== "win32",
    windowsHide: true,
  });
  child.stdout.on("data", (chunk: Buffer) => output.add(chunk));
  child.stderr.on("data", (chunk: Buffer) => output.add(chunk));
  // The program may not read its input.
  child.stdin.on("error", () => undefined);
  child.stdin.end();
  const { pid } = child;
  type Cut = "timed-out" | "cancelled" | "wrote-too-much";
  let cut: Cut | undefined;
  const stop = (why: Cut) => {
    cut ??= why;
    if (pid !== undefined) void killTree(pid, runId);
  };
  const onAbort = () => stop("cancelled");
  const timer = setTimeout(() => stop("timed-out"), request.timeoutMs);
  const unwatch = request.written && watchWritten(request.written, () => stop("wrote-too-much"));
  request.signal?.addEventListener("abort", onAbort, { once: true });
  try {
    return await new Promise<SubprocessOutcome>((resolve) => {
      child.on("error", (error) => {
        const reason = "code" in error ? String(error.code) : error.name;
        if (pid === undefined) resolve(finished("not-started", undefined, reason));
      });
      child.on("exit", () => {
        // Children that outlive it may hold the pipes open for ever.
        if (pid !== undefined) void killTree(pid, runId);
      });
      child.on("close", (code) => {
        if (cut !== undefined) resolve(finished(cut));
        else if (code === null) resolve(finished("signalled"));
        else resolve(finished("exited", code));
      });
    });
  } finally {
    clearTimeout(timer);
    unwatch?.();
    request.signal?.removeEventListener("abort", onAbort);
    if (pid !== undefined) await killTree(pid, runId);
  }
}
