/** Why a stand-in could not start or go on. A code is stable; the message is one sentence for the person at the terminal. */
export type StandInErrorCode =
  | "port_taken"
  | "mailbox_missing"
  | "mailbox_unreadable"
  | "mailbox_empty"
  | "mailbox_no_file"
  | "mailbox_not_mail"
  | "state_unusable";

/** The one error of the stand-ins. Stand-ins live on the owner's machine, so the sentence may name a path. */
export class StandInError extends Error {
  readonly code: StandInErrorCode;
  /** What to do, where the sentence says only what is. */
  readonly recovery: string | undefined;

  constructor(code: StandInErrorCode, sentence: string, cause?: unknown) {
    super(sentence, cause === undefined ? undefined : { cause });
    this.name = "StandInError";
    this.code = code;
    this.recovery =
      code === "state_unusable"
        ? "Restore the whole data folder from a backup, or give another with --data."
        : undefined;
  }
}
