import { existsSync, rmSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fromSystem, systemCode } from "../backends/fs/fs-errors.ts";
import { baseFileOf } from "./kept-base.ts";

const viewPrefix = "view-";
const ownerFile = "owner.json";
/** In a directory that is to outlive its process. */
const keptFile = "kept";
/** No process needs as long between making a directory and signing it. */
const signingMs = 60_000;
const live = new Set<string>();

/** A private directory (0700) that ends with the process at the latest, unless it is kept. `files` is the part tools see. */
export interface ViewDirectory {
  readonly id: string;
  readonly path: string;
  readonly files: string;
  keep(): Promise<void>;
  remove(): Promise<void>;
}

/** Makes one; says who owns it before anything is put in. */
export async function makeViewDirectory(parent: string): Promise<ViewDirectory> {
  try {
    await mkdir(parent, { recursive: true, mode: 0o700 });
    const directory = await mkdtemp(join(parent, viewPrefix));
    if (live.size === 0) process.on("exit", removeLive);
    live.add(directory);
    await writeFile(
      join(directory, ownerFile),
      JSON.stringify({ pid: process.pid, started: await startOf(process.pid) }),
    );
    const files = join(directory, "files");
    await mkdir(files, { mode: 0o700 });
    return viewDirectory(directory);
  } catch (error) {
    throw fromSystem(error, parent);
  }
}

/** One that was kept, in this process or in an earlier one. */
export const keptViewDirectory = (path: string): ViewDirectory => viewDirectory(path);

const viewDirectory = (path: string): ViewDirectory => ({
  id: path.slice(-6),
  path,
  files: join(path, "files"),
  keep: async () => {
    await writeFile(join(path, keptFile), "");
    release(path);
  },
  remove: () => removeView(path),
});

async function removeView(directory: string): Promise<void> {
  try {
    // First: a copy that is half removed is not to be taken for one in which files were deleted.
    await rm(baseFileOf(directory), { force: true });
    await removeTree(directory);
  } finally {
    release(directory);
  }
}

function release(directory: string): void {
  live.delete(directory);
  if (live.size === 0) process.off("exit", removeLive);
}

/** Removes a directory, also where a program took permissions away from folders in it. */
async function removeTree(directory: string): Promise<void> {
  const remove = () => rm(directory, { recursive: true, force: true, maxRetries: 3 });
  try {
    await remove();
  } catch (error) {
    if (systemCode(error) !== "EACCES") throw error;
    await openFolders(directory);
    await remove();
  }
}

async function openFolders(directory: string): Promise<void> {
  await chmod(directory, 0o700);
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    if (entry.isDirectory()) await openFolders(join(directory, entry.name));
  }
}

/** Exit handlers must be synchronous. */
function removeLive(): void {
  for (const directory of live) rmSync(directory, { recursive: true, force: true });
}

/**
 * Removes views whose process is gone (killed, power cut), but those that were kept. Call it at start.
 * @returns how many were removed
 */
export async function removeAbandonedViews(parent: string, now: () => number): Promise<number> {
  let removed = 0;
  for (const name of await namesIn(parent)) {
    if (!name.startsWith(viewPrefix) || live.has(join(parent, name))) continue;
    if (isKeptView(join(parent, name)) || (await hasLivingOwner(join(parent, name), now()))) continue;
    await removeTree(join(parent, name));
    removed++;
  }
  return removed;
}

/** Whether a copy is there to be opened again; one without what it was made from was being removed. */
export const isKeptView = (path: string): boolean => existsSync(join(path, keptFile)) && existsSync(baseFileOf(path));

async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    // None, or those of another account of this machine.
    if (["ENOENT", "EACCES"].includes(systemCode(error) ?? "")) return [];
    throw fromSystem(error, directory);
  }
}

/** A process id is used again after a while, so the time the process started is compared where the system tells it. */
async function hasLivingOwner(directory: string, nowMs: number): Promise<boolean> {
  let owner: { pid: number; started: string | null };
  try {
    owner = parseOwner(await readFile(join(directory, ownerFile), "utf8"));
  } catch {
    // Nothing is in it yet: its process has just made it, or died before it could sign it.
    return nowMs - (await stat(directory)).mtimeMs < signingMs;
  }
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if (systemCode(error) !== "EPERM") return false;
  }
  return (await startOf(owner.pid)) === owner.started;
}

function parseOwner(text: string): { pid: number; started: string | null } {
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null || !("pid" in value) || !("started" in value)) {
    throw new TypeError("not an owner file");
  }
  const { pid, started } = value;
  if (typeof pid !== "number" || !(typeof started === "string" || started === null)) {
    throw new TypeError("not an owner file");
  }
  return { pid, started };
}

/** Field 22 of /proc/pid/stat, in clock ticks since boot (proc(5)); null where there is no /proc. */
async function startOf(pid: number): Promise<string | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    // There is no such process, or no /proc.
    return null;
  }
}
