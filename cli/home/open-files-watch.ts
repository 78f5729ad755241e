import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import type { Clock } from "../../device/connection/clock.ts";
import { type RepeatedLook, repeatedLook } from "../../device/repeated-look.ts";

const lookEveryMs = 10_000;

interface OpenFilesWatch {
  readonly clock: Clock;
  /** A line for the person: once when nothing more can be opened, and once when that is over. */
  readonly tell: (sentence: string) => void;
  /** Opens a file and closes it again; another one for tests. */
  readonly tryOpen?: () => void;
}

/**
 * Says of a program that stays that it can open no more files: whatever it then cannot read says so in words of its own, as of a
 * mailbox that was moved or settings that are damaged.
 */
export function watchOpenFiles({ clock, tell, tryOpen = openOne }: OpenFilesWatch): RepeatedLook {
  let isSaid = false;
  const look = async () => {
    const code = failsWith(tryOpen);
    const sentence = code === undefined ? undefined : usedUp[code];
    if (sentence !== undefined && !isSaid)
      tell(`${sentence} What cannot be read or reached meanwhile may be so because of that. (too_few_files)`);
    if (sentence === undefined && isSaid) tell("Files and connections can be opened again.");
    isSaid = sentence !== undefined;
  };
  return repeatedLook({ clock, everyMs: lookEveryMs, look, onProblem: ({ message }) => tell(message) });
}

const usedUp: Readonly<Record<string, string>> = {
  EMFILE:
    "This program has as many files and connections open as it may. Raise the limit where you start it (ulimit -n 1024; " +
    "LimitNOFILE= of a systemd unit, --ulimit nofile= of a container) and start it again.",
  ENFILE:
    "This system has as many files open as it may. End other programs, or raise its limit (fs.file-max on Linux, " +
    "kern.maxfiles on macOS).",
};

const openOne = () => closeSync(openSync(devNull, "r"));

function failsWith(work: () => void): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
    throw error;
  }
}
