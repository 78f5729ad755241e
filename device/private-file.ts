import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import process from "node:process";
import type * as z from "zod";
import { systemCode } from "./files/backends/fs/fs-errors.ts";
import { makePrivateFolder } from "./private-folder.ts";

/**
 * Reads a small JSON file that the owner of the account alone may read.
 *
 * @param unreadable throws, or says what is taken instead, when there is a file that cannot be read or does not hold what `schema`
 * says. It is given the system's error only.
 * @returns undefined when there is no such file
 */
export function readPrivateFile<T>(
  file: string,
  schema: z.ZodType<T>,
  unreadable: (cause?: unknown) => T,
): T | undefined {
  let text: string;
  try {
    // Some editors put a mark before a text that they save.
    text = readFileSync(file, "utf8").replace(/^\ufeff/, "");
  } catch (cause) {
    if (["ENOENT", "ENOTDIR"].includes(systemCode(cause) ?? "")) return undefined;
    return unreadable(cause);
  }
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    // No JSON, or not of this form; what says so quotes the file.
    return unreadable();
  }
}

/** Replaces it as a whole, and has it on the disk before this returns: what is done because of it comes after. */
export function writePrivateFile(file: string, value: unknown): void {
  makePrivateFolder(dirname(file));
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true });
    renameSync(draft, file);
  } catch (error) {
    // Half of it is of no use, and on a full disk in the way.
    removePrivateFile(draft);
    throw error;
  }
  const folder = openSync(dirname(file), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Removes it; nothing happens when it is not there. @throws the system's error for anything else */
export function removePrivateFile(file: string): void {
  rmSync(file, { force: true });
}
