import { CommanderError } from "commander";
import { isDeviceError } from "../device/errors.ts";
import { type ExitCode, exitCodes } from "../device/exit-codes.ts";
import { isScoutsError } from "../events/errors.ts";
import { isDiskFull } from "./disk-full.ts";
import { fullText } from "./error-log.ts";
import { printable } from "./output/printable.ts";
import { printableCode } from "./output/printable-code.ts";
import { ToldInJson, ToolRefusal } from "./projects/tool-refusal.ts";

/** How a command failed: a line on stderr that ends in the code, below it the lines it is about and the cure where they are known. */
export interface Failure {
  readonly line: string | undefined;
  readonly exitCode: ExitCode;
  /** For standard output, of a command that was asked for JSON. */
  readonly json?: object;
}

const told = (sentence: string, code: string, exitCode: ExitCode, below: readonly string[] = []) => ({
  line: [`scouts: ${printable(sentence)} (${code})`, ...below.map((each) => `  ${printable(each)}`)].join("\n"),
  exitCode,
  json: { success: false, code, message: sentence, ...(below.length > 0 && { recovery: below.join(" ") }) },
});

const diskFullSentence =
  "The disk of the data folder is full. Free some space and run the same command again: what was stored is there.";

/** Errors of the local home carry a code of their own closed union and a sentence for a person; Node's `ERR_…` are faults of ours. */
function codeOf(error: Error): string | undefined {
  return "code" in error && typeof error.code === "string" && /^(?!ERR_)[A-Za-z_]+$/.test(error.code)
    ? error.code
    : undefined;
}

/** What is told beside an error that nobody expected. */
export interface Unexpected {
  /** Where it was kept in full. */
  keep(error: unknown): string | undefined;
  /** Whether its causes and stacks are told as well. */
  readonly debug: boolean;
}

/** The one place where an error becomes an exit code (the table is in docs/device.md). */
export function failureOf(error: unknown, unexpected: Unexpected): Failure {
  if (error instanceof ToldInJson) return withJson(error.cause, unexpected);
  const { line, exitCode } = withJson(error, unexpected);
  return { line, exitCode };
}

function withJson(error: unknown, unexpected: Unexpected): Failure {
  if (isDeviceError(error) && error.code !== "internal") return told(error.message, error.code, error.exitCode);
  if (isDiskFull(error)) {
    const ours = error instanceof Error && "code" in error && error.code === "disk_full";
    return told(ours ? error.message : diskFullSentence, "disk_full", exitCodes.unusable);
  }
  if (isScoutsError(error)) {
    // The home's own fault: its functions have logged it.
    const where = error.code === "internal" ? " Its log is in cloud/logs of the home's data folder." : "";
    return told(`${error.message}${where}`, error.code, exitCodes.failed);
  }
  // Commander has written help and usage errors itself.
  if (error instanceof CommanderError) {
    return { line: undefined, exitCode: error.exitCode === 0 ? exitCodes.done : exitCodes.usage };
  }
  if (error instanceof ToolRefusal) {
    const below = [...places(error), ...(error.recovery === undefined ? [] : [error.recovery])];
    return { ...told(error.message, error.code, exitCodes.failed, below), json: error.json };
  }
  const code = error instanceof Error && !isDeviceError(error) ? codeOf(error) : undefined;
  if (error instanceof Error && code !== undefined) {
    const recovery = "recovery" in error && typeof error.recovery === "string" ? [error.recovery] : [];
    return told(error.message, code, exitCodes.failed, recovery);
  }
  return unforeseen(error, unexpected);
}

function unforeseen(error: unknown, { keep, debug }: Unexpected): Failure {
  const file = keep(error);
  const what = error instanceof Error ? `: ${error.name}: ${error.message}` : "";
  const where = file === undefined ? "" : ` It is kept in ${file}.`;
  const more = debug ? "" : " SCOUTS_DEBUG=1 shows its cause.";
  const { line, exitCode } = told(
    `Something unexpected went wrong${what.replace(/\.?$/, ".")}${where}${more}`,
    "internal",
    exitCodes.failed,
  );
  return { line: debug ? `${line}\n${printableCode(fullText(error))}` : line, exitCode };
}

/** Where an edit could have been meant, or is made already. */
function places({ candidates }: ToolRefusal): string[] {
  if (candidates.length === 0) return [];
  const lines = candidates.map(({ startLine, endLine }) =>
    startLine === endLine ? `line ${startLine}` : `lines ${startLine} to ${endLine}`,
  );
  return [`In the file: ${lines.join("; ")}.`];
}
