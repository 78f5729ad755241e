import { spawn } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";

/** Variable that marks every process of one run, also those that left its process group. */
export const runMarker = "SCOUTS_TOOL_RUN";

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

async function markedProcesses(runId: string): Promise<number[]> {
  if (process.platform !== "linux") return [];
  const needle = `\0${runMarker}=${runId}\0`;
  const marked: number[] = [];
  for (const name of await readdir("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    try {
      const environment = await readFile(`/proc/${pid}/environ`, "latin1");
      const isZombie = /^State:\s+Z/m.test(await readFile(`/proc/${pid}/status`, "latin1"));
      if (!isZombie && `\0${environment}`.includes(needle)) marked.push(pid);
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
