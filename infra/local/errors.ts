import type { StandInErrorCode } from "../standins/stand-in-error.ts";

export type LocalHomeErrorCode =
  | "EADDRINUSE"
  | "data_in_use"
  | "data_unusable"
  | "disk_full"
  | "config_invalid"
  | "mailbox_other"
  | "too_few_files"
  | "unknown_name"
  | "stopped";

/** What a home on one machine, and the stand-ins beside it, can fail with. */
export type HomeErrorCode = LocalHomeErrorCode | StandInErrorCode;

/** What can keep the local home from starting or doing what it was asked; the message is a sentence for a person. */
export class LocalHomeError extends Error {
  override readonly name = "LocalHomeError";
  readonly code: LocalHomeErrorCode;

  constructor(code: LocalHomeErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** What an operator is told who names a data folder that no home has used. */
export const noHomeYet = (dataFolder: string): LocalHomeError =>
  new LocalHomeError("data_unusable", `There is no home in ${dataFolder} yet; start one with \`scouts up\`.`);
