import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { DeviceError, isDeviceError } from "../errors.ts";
import { notWritable, orUnusable } from "../or-unusable.ts";
import { makePrivateFolder } from "../private-folder.ts";
import { takeFileLock } from "../store/held-locks.ts";

const presence = z.object({ v: z.literal(1), origin: z.string().regex(/^http:\/\/127\.0\.0\.1:\d{1,5}$/) });

/** The folder of the console in a data folder: where it is, who serves it, launches. */
export const consoleFolder = (dataFolder: string): string => join(dataFolder, "device", "console");

const fileIn = (folder: string) => join(folder, "console.json");
const lockIn = (folder: string) => join(folder, "console.lock");

/**
 * Takes the right to serve a data folder's console, which ends with the process.
 *
 * @returns undefined while another process has it
 */
export function claimConsole(dataFolder: string): (() => void) | undefined {
  const folder = consoleFolder(dataFolder);
  makePrivateFolder(folder);
  return takeFileLock(lockIn(folder));
}

/** Says where the console is. @returns what takes that back */
export function announceConsole(dataFolder: string, origin: string): () => void {
  const file = fileIn(consoleFolder(dataFolder));
  writeFileSync(file, JSON.stringify({ v: 1, origin }), { mode: 0o600 });
  return () => rmSync(file, { force: true });
}

/** Whether somebody can be at the console of a data folder. */
export function isConsoleServed(dataFolder: string): boolean {
  try {
    findConsole(dataFolder);
    return true;
  } catch (error) {
    if (isDeviceError(error, "console_not_running")) return false;
    throw error;
  }
}

/**
 * Where the console of a data folder is served. The lock says whether: the word of a process that was killed is still there,
 * and its port may be somebody else's by now.
 *
 * @throws DeviceError `console_not_running`, `folder_unusable`
 */
export function findConsole(dataFolder: string): string {
  const folder = consoleFolder(dataFolder);
  // Who looks makes nothing: the folder may be mistyped.
  if (!existsSync(folder)) throw new DeviceError("console_not_running");
  const release = orUnusable(folder, notWritable(folder), () => claimConsole(dataFolder));
  release?.();
  if (release !== undefined) throw new DeviceError("console_not_running");
  try {
    return presence.parse(JSON.parse(readFileSync(fileIn(consoleFolder(dataFolder)), "utf8"))).origin;
  } catch (cause) {
    // It is just starting or stopping, or the file is damaged: either way nobody can be sent there.
    throw new DeviceError("console_not_running", { cause });
  }
}
