import { statSync } from "node:fs";
import type { Clock } from "../../device/connection/clock.ts";
import { type RepeatedLook, repeatedLook } from "../../device/repeated-look.ts";

const lookEveryMs = 10_000;

interface DataFolderWatch {
  readonly clock: Clock;
  readonly dataFolder: string;
  /** The device's database, which this program has open. */
  readonly databasePath: string;
  /** A line for the person: once when it is no more where it was, and once when it is there again. */
  readonly tell: (sentence: string) => void;
}

/**
 * Says of a program that stays that its data folder was taken away under it. What it has open it goes on with: nothing fails, and
 * nothing of what it is told is found again.
 */
export function watchDataFolder({ clock, dataFolder, databasePath, tell }: DataFolderWatch): RepeatedLook {
  const begunWith = fileAt(databasePath);
  let isSaid = false;
  const look = async () => {
    const isGone = fileAt(databasePath) !== begunWith;
    if (isGone && !isSaid) {
      tell(
        `The data folder ${dataFolder} was removed, moved or replaced while this program runs; what you decide until it is ` +
          "stopped may be lost. Stop it (Ctrl-C), bring the folder back where you need what was in it, and start it again. (store_missing)",
      );
    }
    if (!isGone && isSaid) tell(`The data folder ${dataFolder} is there again.`);
    isSaid = isGone;
  };
  return repeatedLook({ clock, everyMs: lookEveryMs, look, onProblem: ({ message }) => tell(message) });
}

/** Which file a path leads to; undefined when to none. */
function fileAt(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}
