import { appendFileSync, existsSync, mkdirSync, renameSync, statSync } from "node:fs";
import path from "node:path";
import { inspect } from "node:util";

/** Beyond this the log begins anew, keeping the one before. */
const largestBytes = 1024 * 1024;

const fileIn = (dataFolder: string) => path.join(dataFolder, "device", "errors.log");

/** An error with its causes and stacks, as a person who looks for a fault needs it. */
export const fullText = (error: unknown): string => inspect(error, { depth: 4, maxStringLength: 2_000 });

/**
 * Keeps an unexpected error of this program in the data folder, for its owner only: it may quote what was worked on, so it
 * goes to no other place. A home that runs there logs what its functions met in `cloud/logs`, by codes alone.
 *
 * @returns the file; undefined where there is no data folder to keep it in
 */
export function keepError(dataFolder: string, error: unknown, nowMs: number): string | undefined {
  if (!existsSync(dataFolder)) return undefined;
  const file = fileIn(dataFolder);
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > largestBytes) renameSync(file, `${file}.1`);
    appendFileSync(file, `${new Date(nowMs).toISOString()} ${fullText(error)}\n`, { mode: 0o600 });
    return file;
  } catch (cause) {
    // A disk that is full or read only (an error of the system) must not hide the error that is to be told.
    if (cause instanceof Error && "code" in cause) return undefined;
    throw cause;
  }
}
