import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { crc32 } from "node:zlib";
import * as z from "zod";

/** Where a running home is found: whoever may read this file may act as the home's owner. */
export interface Presence {
  readonly apiUrl: string;
  /** OAuth token endpoint; `client_credentials` with `clientId` and `clientSecret` gives a token of the owner. */
  readonly tokenUrl: string;
  readonly clientId: string;
  /** The owner's: for tokens of `tokenUrl`, and asked for by the pages on which the owner consents. */
  readonly clientSecret: string;
  /** Where consent to the mailbox is given, when the mailbox is on this machine as well. */
  readonly consentUrl?: string;
  /** Where the home says what it runs with (about-door.ts), to who brings the secret. */
  readonly aboutUrl?: string;
}

const fileIn = (dataFolder: string) => join(dataFolder, "home.json");

const written = z.object({ pid: z.number() });

/** Where this process has left word. One that ends without its homes being stopped (an error nobody could catch) takes it back as well. */
const left = new Set<string>();
const takeBackAll = () => {
  for (const file of left) takeBack(file);
};

function takeBack(file: string): void {
  left.delete(file);
  if (left.size === 0) process.off("exit", takeBackAll);
  if (!isOurs(file)) return;
  try {
    rmSync(file, { force: true });
  } catch {
    // A disk that can only be read any more keeps it, as it does of a home that was killed.
  }
}

/**
 * Leaves word of a running home in its data folder, for commands that ask it something.
 *
 * @returns takes the word back
 */
export function announce(dataFolder: string, presence: Presence): () => void {
  const file = fileIn(dataFolder);
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  rmSync(draft, { force: true });
  const handle = openSync(draft, "wx", 0o600);
  try {
    const { dev, ino } = fstatSync(handle, { bigint: true });
    // A copy of the folder has this file too, and its commands would ask this home: it says where it was written.
    const written = { folder: realpathSync(dataFolder), file: `${dev}:${ino}` };
    const content = { v: 1, pid: process.pid, ...presence, written };
    // A changed byte in an address or the secret would look like a home that is gone.
    const checked = { ...content, check: crc32(JSON.stringify(content)) };
    writeFileSync(handle, `${JSON.stringify(checked, null, 2)}\n`);
  } finally {
    closeSync(handle);
  }
  renameSync(draft, file);
  if (left.size === 0) process.on("exit", takeBackAll);
  left.add(file);
  return () => takeBack(file);
}

/**
 * Takes back the word of a home that was killed, for whoever holds the folder's lock: a new home's issuer answers at the
 * old address long before its API does at a new one, and commands would ask where nobody is.
 */
export function forgetKilled(dataFolder: string): void {
  rmSync(fileIn(dataFolder), { force: true });
}

/** A home started later on the same folder has written its own. */
function isOurs(file: string): boolean {
  try {
    return written.parse(JSON.parse(readFileSync(file, "utf8"))).pid === process.pid;
  } catch {
    // Gone or damaged: then it is not ours to remove.
    return false;
  }
}
