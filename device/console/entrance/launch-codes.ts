import { createHash, randomBytes } from "node:crypto";
import { chmodSync, existsSync, readdirSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makePrivateFolder } from "../../private-folder.ts";

/** How long a browser may take from being started to its first request. */
const codeLifeMs = 60_000;
const fileName = /^([0-9a-f]{64})-(\d{1,16})\.html$/;

export interface Launch {
  /** A page that leads on to `url`, for its owner's eyes only. */
  readonly file: string;
  /** Holds the code, in the part of an address that no server is sent. */
  readonly url: string;
}

const digestOf = (code: string): string => createHash("sha256").update(code).digest("hex");

/**
 * Makes a code that opens the console once, within a minute. It is a file in a folder of the owner's (0700): who can make
 * one there may read the device's data anyway, so whoever serves the folder needs no other word about who asks. A browser
 * is given the file and not the address: what a program is started with can be read by every account of the machine.
 *
 * @param origin of the console
 */
export function makeLaunch(folder: string, origin: string, nowMs: number): Launch {
  makePrivateFolder(folder);
  chmodSync(folder, 0o700);
  removeLaunches(folder, ({ endsAtMs }) => endsAtMs <= nowMs);
  const code = randomBytes(32).toString("base64url");
  const url = `${origin}/#code=${code}`;
  const file = join(folder, `${digestOf(code)}-${nowMs + codeLifeMs}.html`);
  const page = `<!doctype html><meta charset="utf-8"><title>Scouts</title><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0; url=${url}">\n`;
  writeFileSync(file, page, { mode: 0o600, flag: "wx" });
  return { file, url };
}

/**
 * Takes a code. Removing its file is one step that only one of several can do, whichever process they are:
 *
 *     a tab                     whoever saw the code as well
 *     unlink() -> done
 *                               unlink() -> ENOENT: refused
 */
export function takeLaunch(folder: string, code: string, nowMs: number): boolean {
  const digest = digestOf(code);
  const found = launchesIn(folder).find((launch) => launch.digest === digest);
  if (found === undefined || !removed(join(folder, found.name))) return false;
  // One that ends later than a code can was made while the clock stood elsewhere.
  return found.endsAtMs > nowMs && found.endsAtMs <= nowMs + codeLifeMs;
}

/** Removes launches that nobody took. */
export function removeLaunches(folder: string, which: (launch: { readonly endsAtMs: number }) => boolean): void {
  for (const launch of launchesIn(folder).filter(which)) rmSync(join(folder, launch.name), { force: true });
}

function launchesIn(folder: string) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => {
    const [, digest, endsAt] = fileName.exec(name) ?? [];
    return digest === undefined ? [] : [{ name, digest, endsAtMs: Number(endsAt) }];
  });
}

function removed(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw error;
  }
}
