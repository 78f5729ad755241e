import { CommanderError } from "commander";
import { isArtifactError } from "../device/artifacts/errors.ts";
import { cureOf } from "../device/errors/cures.ts";
import { isDiskFull } from "../device/errors/disk-full.ts";
import { detailsOf, type FailureDetails, type FailureObject } from "../device/errors/failure-object.ts";
import { DeviceError, type DeviceErrorCode, deviceErrorKinds, isDeviceError } from "../device/errors.ts";
import { type ExitCode, exitCodes } from "../device/exit-codes.ts";
import type { ErrorCode } from "../events/error-kinds.ts";
import { isScoutsError } from "../events/errors.ts";
import type { HomeErrorCode } from "../infra/local/errors.ts";
import { fullText } from "./error-log.ts";
import { printable } from "./output/printable.ts";
import { printableCode } from "./output/printable-code.ts";
import { shortened } from "./output/shortened.ts";
import { ToolRefusal } from "./projects/tool-refusal.ts";
import { openFilesFailureOf, type SystemFailure, systemFailureOf } from "./system-failure.ts";

/** How a command failed. */
export interface Failure {
  /** For standard error: it ends in the code; below it the lines it is about and the cure where they are known. */
  readonly line: string | undefined;
  readonly exitCode: ExitCode;
  /** The same for programs; undefined where nothing failed. */
  readonly json: FailureObject | undefined;
}

interface Told {
  readonly code: string;
  readonly message: string;
  readonly exitCode: ExitCode;
  readonly details?: FailureDetails;
  /** Lines below the sentence. */
  readonly below?: readonly string[];
}

const told = ({ code, message: whole, exitCode, details = {}, below = [] }: Told): Failure => {
  const message = shortened(whole);
  return {
    line: [`scouts: ${printable(message)} (${code})`, ...below.map((each) => `  ${printable(each)}`)].join("\n"),
    exitCode,
    json: { success: false, code, message, exitCode, ...details },
  };
};

const diskFullSentence =
  "The disk of the data folder is full. Free some space and run the same command again: what was stored is there.";

/** Errors of the local home carry a code of their own closed union and a sentence for a person; Node's `ERR_…` are faults of ours. */
function codeOf(error: Error): string | undefined {
  return "code" in error && typeof error.code === "string" && /^(?!ERR_)[A-Za-z_]+$/.test(error.code)
    ? error.code
    : undefined;
}

/** Of the local home's codes those that are about its data folder. */
const ofDataFolder: readonly string[] = ["data_in_use", "data_unusable", "state_unusable"] satisfies HomeErrorCode[];

/** What is told beside an error that nobody expected. */
export interface Unexpected {
  /** Where it was kept in full. */
  keep(error: unknown): string | undefined;
  /** Whether its causes and stacks are told as well. */
  readonly debug: boolean;
}

/** The one place where an error becomes an exit code (the table is in docs/device.md). */
export function failureOf(error: unknown, unexpected: Unexpected): Failure {
  // What an interruption breaks off, a question or a pause, is thrown under this name; what takes too long has another.
  if (error instanceof Error && error.name === "AbortError")
    return failureOf(new DeviceError("interrupted", { cause: error }), unexpected);
  const details = detailsOf(error);
  const ofFiles = openFilesFailureOf(error);
  if (ofFiles !== undefined) return ofSystem(ofFiles, details);
  if (isDeviceError(error) && error.code !== "internal") {
    const { code, message, exitCode } = error;
    return told({ code, message, exitCode, ...withCure(message === deviceErrorKinds[code].sentence, code, details) });
  }
  if (isArtifactError(error, "not_found")) {
    const { code, message, recovery = "scouts artifacts list shows what there is." } = error;
    return told({ code, message, exitCode: exitCodes.unknown, details: { ...details, recovery }, below: [recovery] });
  }
  if (isDiskFull(error)) {
    const ours = error instanceof Error && "code" in error && error.code === "disk_full";
    const message = ours ? error.message : diskFullSentence;
    return told({ code: "disk_full", message, exitCode: exitCodes.unusable, details });
  }
  if (isScoutsError(error)) {
    // The home's own fault: its functions have logged it.
    const where = error.code === "internal" ? " Its log is in cloud/logs of the home's data folder." : "";
    const { code, message } = error;
    return told({ code, message: `${message}${where}`, exitCode: exitCodes.failed, ...withCure(true, code, details) });
  }
  if (error instanceof CommanderError) return usageFailure(error);
  if (error instanceof ToolRefusal) {
    const { code, message, recovery, json } = error;
    const below = [...places(error), ...(recovery === undefined ? [] : [recovery])];
    const { line, exitCode } = told({ code, message, exitCode: exitCodes.failed, below });
    // A patch's own result has no code where it conflicts only.
    return { line, exitCode, json: { ...json, success: false, code, message, exitCode } };
  }
  const system = systemFailureOf(error);
  if (system !== undefined) return ofSystem(system, details);
  const code = error instanceof Error && !isDeviceError(error) ? codeOf(error) : undefined;
  if (error instanceof Error && code !== undefined) {
    const recovery =
      details.recovery ?? ("recovery" in error && typeof error.recovery === "string" ? error.recovery : undefined);
    return told({
      ...{ code, message: error.message },
      exitCode: ofDataFolder.includes(code) ? exitCodes.unusable : exitCodes.failed,
      details: { ...details, ...(recovery !== undefined && { recovery }) },
      below: recovery === undefined ? [] : [recovery],
    });
  }
  return unforeseen(error, unexpected);
}

/** @param isOwn whether the code's own sentence is told: a more exact one says itself what to do */
function withCure(isOwn: boolean, code: DeviceErrorCode | ErrorCode, details: FailureDetails): Partial<Told> {
  const recovery = isOwn ? cureOf(code) : undefined;
  return recovery === undefined ? { details } : { details: { recovery, ...details }, below: [recovery] };
}

function ofSystem({ code, message, ...more }: SystemFailure, details: FailureDetails): Failure {
  return told({
    ...{ code, message, exitCode: exitCodes.failed },
    details: { ...details, ...more },
    below: [more.recovery],
  });
}

/** Commander has written help and usage errors itself, for whoever reads them. */
function usageFailure({ code: commanders, exitCode, message: written }: CommanderError): Failure {
  if (exitCode === 0) return { line: undefined, exitCode: exitCodes.done, json: undefined };
  // A group of commands without one of them shows its help.
  const isHelp = commanders.startsWith("commander.help");
  const message = isHelp ? "A command is missing; --help lists them." : written.replace(/^error: /, "");
  const { json } = told({
    code: "usage",
    message,
    exitCode: exitCodes.usage,
    details: { data: { reason: commanders } },
  });
  return { line: undefined, exitCode: exitCodes.usage, json };
}

function unforeseen(error: unknown, { keep, debug }: Unexpected): Failure {
  const file = keep(error);
  const what = error instanceof Error ? `: ${error.name}: ${error.message}` : "";
  const where = file === undefined ? "" : ` It is kept in ${file}.`;
  const more = debug ? "" : " SCOUTS_DEBUG=1 shows its cause.";
  const message = `Something unexpected went wrong${what.replace(/\.?$/, ".")}${where}${more}`;
  const failure = told({ code: "internal", message, exitCode: exitCodes.failed, details: detailsOf(error) });
  return debug ? { ...failure, line: `${failure.line}\n${printableCode(fullText(error))}` } : failure;
}

/** Where an edit could have been meant, or is made already. */
function places({ candidates }: ToolRefusal): string[] {
  if (candidates.length === 0) return [];
  const lines = candidates.map(({ startLine, endLine }) =>
    startLine === endLine ? `line ${startLine}` : `lines ${startLine} to ${endLine}`,
  );
  return [`In the file: ${lines.join("; ")}.`];
}
