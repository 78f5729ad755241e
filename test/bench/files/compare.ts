import { readFileSync } from "node:fs";

/** One way of doing a job. It answers with how much it found: files, lines. */
export interface Contender {
  name: string;
  run(): Promise<number> | number;
}

export interface Measured {
  name: string;
  medianMs: number;
  minMs: number;
  maxMs: number;
  /** Processor time, of this process and of those it has waited for; NaN where the system does not tell (not Linux). */
  medianCpuMs: number;
  result: number;
}

/** Runs all contenders in turn, `repeat` times, after one round that does not count: load falls on all alike. */
export async function compare(contenders: readonly Contender[], repeat: number): Promise<Measured[]> {
  const timesMs = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  const cpuTimesMs = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  const results = new Map<string, number>();
  for (let round = 0; round <= repeat; round++) {
    for (const { name, run } of contenders) {
      const startMs = performance.now();
      const startCpuMs = cpuMs();
      const result = await run();
      const tookMs = performance.now() - startMs;
      const usedCpuMs = cpuMs() - startCpuMs;
      results.set(name, result);
      if (round === 0) continue;
      timesMs.get(name)?.push(tookMs);
      cpuTimesMs.get(name)?.push(usedCpuMs);
    }
  }
  return contenders.map(({ name }) => {
    const sorted = (timesMs.get(name) ?? []).toSorted((a, b) => a - b);
    return {
      name,
      medianMs: middle(sorted),
      minMs: sorted[0] ?? Number.NaN,
      maxMs: sorted.at(-1) ?? Number.NaN,
      medianCpuMs: middle((cpuTimesMs.get(name) ?? []).toSorted((a, b) => a - b)),
      result: results.get(name) ?? Number.NaN,
    };
  });
}

function middle(sorted: readonly number[]): number {
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** USER_HZ, which Linux fixes at 100 towards programs (proc(5)). */
const msPerTick = 10;

/**
 * On a machine that others use too, processor time says what a job costs; wall time also says who else was there. That of
 * this process is exact; that of children comes in ticks, and only once they have ended.
 */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000 + childrenCpuMs();
}

/** utime and stime of children that were waited for: fields 16 and 17 of /proc/self/stat (proc(5)). */
function childrenCpuMs(): number {
  if (process.platform !== "linux") return Number.NaN;
  const stat = readFileSync("/proc/self/stat", "latin1");
  // The second field is the program's name, in brackets, and may hold anything.
  const behindName = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(behindName[13]) + Number(behindName[14])) * msPerTick;
}
