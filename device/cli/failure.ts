import { CommanderError } from "commander";
import { isScoutsError } from "../../events/errors.ts";
import { isDeviceError } from "../errors.ts";
import { printable } from "../../cli/output/printable.ts";

/** How a command failed: one line on stderr, ending in the code, and the exit code. */
export interface Failure {
  readonly line: string | undefined;
  readonly exitCode: number;
}

const told = (sentence: string, code: string, exitCode: number): Failure => ({
  line: `scouts: ${printable(sentence)} (${code})`,
  exitCode,
});

/** Errors of the local home carry a code of their own closed union and a sentence for a person. */
function codeOf(error: Error): string | undefined {
  return "code" in error && typeof error.code === "string" && /^[A-Za-z_]+$/.test(error.code) ? error.code : undefined;
}

/** The one place where an error becomes an exit code (the table is in docs/device.md). */
export function failureOf(error: unknown): Failure {
  if (isDeviceError(error)) return told(error.message, error.code, error.exitCode);
  if (isScoutsError(error)) return told(error.message, error.code, 1);
  // Commander has written help and usage errors itself.
  if (error instanceof CommanderError) return { line: undefined, exitCode: error.exitCode === 0 ? 0 : 2 };
  if (!(error instanceof Error)) return told("Something unexpected went wrong.", "internal", 1);
  const code = codeOf(error);
  if (code !== undefined) return told(error.message, code, 1);
  return told(`Something unexpected went wrong: ${error.name}: ${error.message}`, "internal", 1);
}
