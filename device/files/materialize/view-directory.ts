import { rmSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fromSystem, systemCode } from "../backends/fs/fs-errors.ts";

const viewPrefix = "view-";
const ownerFile = "owner.json";
/** No process needs as long between making a directory and signing it. */
const signingMs = 60_000;
const live = new Set<string>();

/** Where views are kept unless the caller says otherwise. */
export function defaultViewRoot(): string {
  return join(tmpdir(), "scouts-views");
}

/** A private directory (0700) that ends with the process at the latest. `files` is the part tools see. */
export interface ViewDirectory {
  readonly id: string;
  readonly files: string;
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
    return { id: directory.slice(-6), files, remove: () => removeView(directory) };
  } catch (error) {
    throw fromSystem(error, parent);
  }
}

async function removeView(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true, maxRetries: 3 });
  live.delete(directory);
  if (live.size === 0) process.off("exit", removeLive);
}

/** Exit handlers must be synchronous. */
function removeLive(): void {
  for (const directory of live) rmSync(directory, { recursive: true, force: true });
}

/**
 * Removes views whose process is gone (killed, power cut). Call it at start.
 * @returns how many were removed
 */
export async function removeAbandonedViews(parent = defaultViewRoot(), now: () => number): Promise<number> {
  let removed = 0;
  for (const name of await namesIn(parent)) {
    if (!name.startsWith(viewPrefix) || live.has(join(parent, name))) continue;
    if (await hasLivingOwner(join(parent, name), now())) continue;
    await rm(join(parent, name), { recursive: true, force: true });
    removed++;
  }
  return removed;
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
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
