import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { isDeviceError } from "../errors.ts";
import { openDeviceStore, storePath } from "../store/open.ts";
import type { TimeAndIds } from "../time-and-ids.ts";

/** What one look found, and what to do about it. */
export interface Check {
  readonly name: string;
  readonly state: "ok" | "note" | "fail";
  readonly detail: string;
  readonly advice?: string;
}

const oldestNodeMajor = 24;
const leastFreeBytes = 200 * 1024 * 1024;
/** Tickets live 30 s and tokens carry times: beyond this a device's clock gets it refused. */
const worstClockOffsetMs = 20_000;

export function checkNode(version: string): Check {
  if (Number(version.split(".")[0]) >= oldestNodeMajor) return { name: "node", state: "ok", detail: version };
  return {
    name: "node",
    state: "fail",
    detail: `${version} is too old`,
    advice: `Install Node ${oldestNodeMajor} or newer, or run \`npm install\` in the checkout, which brings one along.`,
  };
}

/** The folder itself, or the nearest one above that exists. */
function nearestExisting(folder: string): string {
  return existsSync(folder) || path.dirname(folder) === folder ? folder : nearestExisting(path.dirname(folder));
}

export function checkFolder(folder: string): Check {
  const name = "data folder";
  const nearest = nearestExisting(folder);
  try {
    accessSync(nearest, constants.W_OK | constants.X_OK);
  } catch (error) {
    // access(2) says no by these; anything else is no answer to the question.
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code !== "EACCES" && code !== "EPERM" && code !== "EROFS") throw error;
    return { name, state: "fail", detail: `${nearest} cannot be written to`, advice: "Choose another with --data." };
  }
  if (!statSync(nearest).isDirectory()) {
    return { name, state: "fail", detail: `${nearest} is not a folder`, advice: "Choose another with --data." };
  }
  const device = path.dirname(storePath(folder));
  const open = existsSync(device) && (statSync(device).mode & 0o077) !== 0;
  if (open) return { name, state: "fail", detail: `others may read ${device}`, advice: `Run: chmod 700 ${device}` };
  return { name, state: "ok", detail: existsSync(folder) ? folder : `${folder} (will be made)` };
}

export function checkSpace(folder: string): Check {
  const { bavail, bsize } = statfsSync(nearestExisting(folder));
  const detail = `${Math.floor((bavail * bsize) / 1024 ** 2)} MB free`;
  if (bavail * bsize >= leastFreeBytes) return { name: "space", state: "ok", detail };
  return { name: "space", state: "fail", detail, advice: "Free some space, or choose another disk with --data." };
}

/** The database and, since it holds the last measurement, the clock. */
export function checkDatabase(dataFolder: string, { now, newId }: TimeAndIds): Check[] {
  if (!existsSync(storePath(dataFolder))) {
    return [{ name: "database", state: "note", detail: "none yet", advice: "Run `scouts up`." }];
  }
  try {
    const store = openDeviceStore({ dataFolder, mustExist: true, now, newId });
    try {
      const damage = store.damage();
      const found: Check =
        damage === undefined
          ? { name: "database", state: "ok", detail: store.path }
          : {
              name: "database",
              state: "fail",
              detail: `${store.path} is damaged: ${damage}`,
              advice: "Restore it, or move it away: what is still open is delivered again.",
            };
      return [found, checkClock(store.identity.get().clockOffsetMs)];
    } finally {
      store.close();
    }
  } catch (error) {
    if (!isDeviceError(error)) throw error;
    const advice =
      error.code === "store_newer" ? "Update scouts." : "Move the file away: what is still open is delivered again.";
    return [{ name: "database", state: "fail", detail: error.message, advice }];
  }
}

export function checkClock(offsetMs: number | null): Check {
  if (offsetMs === null) return { name: "clock", state: "note", detail: "not compared with the cloud's yet" };
  const detail = `${Math.abs(offsetMs)} ms ${offsetMs >= 0 ? "behind" : "ahead of"} the cloud's`;
  if (Math.abs(offsetMs) <= worstClockOffsetMs) return { name: "clock", state: "ok", detail };
  return {
    name: "clock",
    state: "fail",
    detail,
    advice: "Set this machine's clock (NTP): tickets are refused otherwise.",
  };
}

/** Whether a loopback port can be listened on; any free one when `port` is 0. */
export async function checkPort(port: number): Promise<Check> {
  const { promise, resolve } = Promise.withResolvers<Check>();
  const server = createServer();
  const wanted = port === 0 ? "a free port" : `port ${port}`;
  server.once("error", () => {
    const advice =
      port === 0
        ? "Allow programs to listen on 127.0.0.1."
        : "End the program that has it, or choose another with --port.";
    resolve({ name: "port", state: "fail", detail: `${wanted} on 127.0.0.1 cannot be had`, advice });
  });
  server.listen(port, "127.0.0.1", () => {
    server.close(() => resolve({ name: "port", state: "ok", detail: `${wanted} on 127.0.0.1 can be had` }));
  });
  return promise;
}
