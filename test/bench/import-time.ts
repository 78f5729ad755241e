import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

const probe = `
  const start = performance.now();
  await import(process.argv[2]);
  process.stdout.write(String(performance.now() - start));
  process.exit(0);
`;

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/**
 * Milliseconds one import of each file takes, as the median of `rounds` fresh processes. The files take turns, so that
 * a busy machine slows all of them alike and their ratios hold.
 * @param environment what the processes see; a handler may read its configuration while it loads
 */
export async function importTimes(
  files: readonly string[],
  rounds: number,
  environment: Record<string, string>,
): Promise<Map<string, number>> {
  const folder = await mkdtemp(path.join(tmpdir(), "scouts-import-"));
  try {
    const script = path.join(folder, "probe.mjs");
    await writeFile(script, probe);
    const samples = new Map<string, number[]>(files.map((file) => [file, []]));
    // The first round warms the page cache and is thrown away.
    for (let round = 0; round <= rounds; round++) {
      for (const [file, times] of samples) {
        const { stdout } = await run(process.execPath, [script, pathToFileURL(file).href], { env: environment });
        if (round > 0) times.push(Number(stdout));
      }
    }
    return new Map([...samples].map(([file, times]) => [file, median(times)]));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
