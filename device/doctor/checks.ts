import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { quoted } from "../errors/quoted.ts";
import { type DeviceError, isDeviceError } from "../errors.ts";
import { upOn } from "../shell-words.ts";
import { openDeviceStore, storePath } from "../store/open.ts";
import type { TimeAndIds } from "../time-and-ids.ts";
import { type Finding, type FindingCode, found } from "./findings.ts";

/** What is looked at. The page of the console has a name for each in every language. */
export const checkNames = [
  "node",
  "data folder",
  "space",
  "database",
  "clock",
  "home",
  "socket",
  "scouts",
  "scout",
  "decisions",
  "port",
  "running",
  "mail",
  "model",
  "queues",
  "folders",
  "folder",
  "embeddings",
  "passphrase",
  "settings",
] as const;
export type CheckName = (typeof checkNames)[number];

/** What one look found, and what to do about it. */
export interface Check extends Finding {
  readonly name: CheckName;
  readonly state: "ok" | "note" | "fail";
}

const oldestNodeMajor = 24;
const leastFreeBytes = 200 * 1024 * 1024;
/** Tickets live 30 s and tokens carry times: beyond this a device's clock gets it refused. */
const worstClockOffsetMs = 20_000;

/** Whether the Node that runs this is new enough. @param version without `v`, such as `24.1.0` */
export function checkNode(version: string): Check {
  if (Number(version.split(".")[0]) >= oldestNodeMajor) {
    return { name: "node", state: "ok", ...found("node_ok", { version }) };
  }
  return { name: "node", state: "fail", ...found("node_old", { version, oldest: oldestNodeMajor }) };
}

/** The folder itself, or the nearest one above that exists. */
function nearestExisting(folder: string): string {
  return existsSync(folder) || path.dirname(folder) === folder ? folder : nearestExisting(path.dirname(folder));
}

/**
 * Whether the data folder can be written, or made, and its `device` folder is open to its owner alone.
 *
 * @throws the system's error when it will not even say that
 */
export function checkFolder(folder: string): Check {
  const name = "data folder";
  const nearest = nearestExisting(folder);
  try {
    accessSync(nearest, constants.W_OK | constants.X_OK);
  } catch (error) {
    // access(2) says no by these; anything else is no answer to the question.
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code !== "EACCES" && code !== "EPERM" && code !== "EROFS") throw error;
    const finding = code === "EROFS" ? "folder_read_only" : "folder_unwritable";
    return { name, state: "fail", ...found(finding, { folder: nearest }) };
  }
  if (!statSync(nearest).isDirectory()) {
    return { name, state: "fail", ...found("folder_no_folder", { folder: nearest }) };
  }
  const device = path.dirname(storePath(folder));
  const open = existsSync(device) && (statSync(device).mode & 0o077) !== 0;
  if (open) return { name, state: "fail", ...found("folder_open", { folder: device }) };
  return { name, state: "ok", ...found(existsSync(folder) ? "folder_ok" : "folder_new", { folder }) };
}

/** Whether the disk of the data folder has 200 MB left. */
export function checkSpace(folder: string): Check {
  const { bavail, bsize } = statfsSync(nearestExisting(folder));
  const megabytes = Math.floor((bavail * bsize) / 1024 ** 2);
  return bavail * bsize >= leastFreeBytes
    ? { name: "space", state: "ok", ...found("space_ok", { megabytes }) }
    : { name: "space", state: "fail", ...found("space_low", { megabytes }) };
}

/** The database and, since it holds the last measurement, the clock. */
export function checkDatabase(dataFolder: string, { now, newId }: TimeAndIds): Check[] {
  if (!existsSync(storePath(dataFolder))) {
    return [{ name: "database", state: "note", ...found("database_none", { up: upOn(dataFolder) }) }];
  }
  try {
    const store = openDeviceStore({ dataFolder, mustExist: true, now, newId });
    try {
      const damage = store.damage();
      const database: Check =
        damage === undefined
          ? { name: "database", state: "ok", ...found("database_ok", { path: store.path }) }
          : { name: "database", state: "fail", ...found("database_damaged", { path: store.path, damage }) };
      return [database, checkClock(store.identity.get().clockOffsetMs)];
    } finally {
      store.close();
    }
  } catch (error) {
    if (!isDeviceError(error)) throw error;
    return [{ name: "database", state: "fail", ...found(refusalOf(error), {}, { why: quoted(error) }) }];
  }
}

/** To move it away is the cure of a database that is damaged, and of no other: decisions and work are gone with it. */
function refusalOf({ code }: DeviceError): FindingCode {
  if (code === "store_newer") return "database_newer";
  return code === "store_unreadable" ? "database_unusable" : "database_refused";
}

/**
 * Whether the clock is right to within 20 seconds.
 *
 * @param offsetMs how far it is behind the cloud's, negative when it is ahead; null when nobody could be asked
 */
export function checkClock(offsetMs: number | null): Check {
  if (offsetMs === null) return { name: "clock", state: "note", ...found("clock_unknown") };
  const ms = Math.abs(offsetMs);
  if (ms <= worstClockOffsetMs) {
    return { name: "clock", state: "ok", ...found(offsetMs >= 0 ? "clock_behind" : "clock_ahead", { ms }) };
  }
  return { name: "clock", state: "fail", ...found(offsetMs >= 0 ? "clock_far_behind" : "clock_far_ahead", { ms }) };
}

/** Whether a loopback port can be listened on; any free one when `port` is 0. */
export async function checkPort(port: number): Promise<Check> {
  const { promise, resolve } = Promise.withResolvers<Check>();
  const server = createServer();
  server.once("error", () => {
    resolve({ name: "port", state: "fail", ...(port === 0 ? found("ports_refused") : found("port_taken", { port })) });
  });
  server.listen(port, "127.0.0.1", () => {
    const free = port === 0 ? found("ports_ok") : found("port_ok", { port });
    server.close(() => resolve({ name: "port", state: "ok", ...free }));
  });
  return promise;
}
