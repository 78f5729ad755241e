import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LocalHomeError } from "./errors.ts";

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
};

const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? error.code : undefined);

/**
 * Takes the data folder for this process: a `lock` file with its process id. The file of a process that is gone (a
 * kill, a power cut) is taken over.
 *
 * @returns a function that gives the folder back
 * @throws LocalHomeError `data_in_use` with the process id; `data_unusable` when the folder cannot be written
 */
export function lockData(folder: string, attemptsLeft = 3): () => void {
  const file = join(folder, "lock");
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, `${process.pid}\n`, { flag: "wx" });
    return () => rmSync(file, { force: true });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") {
      throw new LocalHomeError("data_unusable", `The data folder ${folder} cannot be written.`, { cause: error });
    }
  }
  const owner = Number(read(file));
  if (attemptsLeft === 0 || (Number.isInteger(owner) && owner > 0 && isAlive(owner))) {
    throw new LocalHomeError("data_in_use", `The data folder ${folder} is in use by process ${owner}.`);
  }
  rmSync(file, { force: true });
  return lockData(folder, attemptsLeft - 1);
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return ""; // given back meanwhile
  }
}
