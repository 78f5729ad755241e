import { spawn } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";

/** Variable that marks every process of one run, also those that left its process group. */
export const runMarker = "SCOUTS_TOOL_RUN";

/** Variable that names the process a run belongs to, and when that was started. */
export const ownerMarker = "SCOUTS_TOOL_OWNER";

/** This process, as tools it runs are marked. */
export async function ownMark(): Promise<string> {
  return `${process.pid}:${await startedAt(process.pid)}`;
}

/** Rounds of looking for survivors: a process being killed may just have started another. */
const maxRounds = 10;

/**
 * Kills a process started with `detached: true` and all its descendants.
 * POSIX: the process group; on Linux also whatever carries the run's marker, since `setsid` and double forks leave the
 * group (proc(5), environ). Windows: taskkill /T.
 */
export async function killTree(pid: number, runId: string): Promise<void> {
  if (process.platform === "win32") return taskkill(pid);
  signalKill(-pid);
  for (let round = 0; round < maxRounds; round++) {
    const marked = await markedProcesses(runId);
    if (marked.length === 0) return;
    for (const survivor of marked) signalKill(survivor);
  }
}

function signalKill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    // ESRCH: it ended by itself. EPERM: it runs as someone else by now, whom we may not touch.
    if (!(error instanceof Error && "code" in error && (error.code === "ESRCH" || error.code === "EPERM"))) throw error;
  }
}

/** Ends what tools left whose own process was killed before it could end them. On Linux; elsewhere nothing tells them. */
export async function killAbandoned(): Promise<void> {
  const isAbandoned = async (mark: string) => {
    const [pid = "", started] = mark.split(":");
    return (await startedAt(Number(pid))) !== started;
  };
  for (const { pid, value } of await processesWith(ownerMarker)) if (await isAbandoned(value)) signalKill(pid);
}

async function markedProcesses(runId: string): Promise<number[]> {
  return (await processesWith(runMarker)).filter(({ value }) => value === runId).map(({ pid }) => pid);
}

/** Field 22 of /proc/pid/stat, in clock ticks since boot (proc(5)): an id is used again. "" when there is no such process. */
async function startedAt(pid: number): Promise<string> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    // There is no such process, or no /proc.
    return "";
  }
}

/** Living processes that have a variable in their environment, with its value. */
async function processesWith(variable: string): Promise<{ readonly pid: number; readonly value: string }[]> {
  if (process.platform !== "linux") return [];
  const needle = `\0${variable}=`;
  const marked: { readonly pid: number; readonly value: string }[] = [];
  for (const name of await readdir("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    try {
      const environment = await readFile(`/proc/${pid}/environ`, "latin1");
      const isZombie = /^State:\s+Z/m.test(await readFile(`/proc/${pid}/status`, "latin1"));
      const at = `\0${environment}`.indexOf(needle);
      if (isZombie || at === -1) continue;
      const value = `\0${environment}`.slice(at + needle.length);
      marked.push({ pid, value: value.slice(0, Math.max(0, value.indexOf("\0"))) });
    } catch {
      // Ended meanwhile, or not ours to look into.
    }
  }
  return marked;
}

async function taskkill(pid: number): Promise<void> {
  const child = spawn("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore", windowsHide: true });
  await new Promise<void>((resolve) => {
    child.on("close", () => resolve());
    child.on("error", () => resolve());
  });
}
