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
  result: number;
}

/** Runs all contenders in turn, `repeat` times, after one round that does not count: load falls on all alike. */
export async function compare(contenders: readonly Contender[], repeat: number): Promise<Measured[]> {
  const timesMs = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  const results = new Map<string, number>();
  for (let round = 0; round <= repeat; round++) {
    for (const { name, run } of contenders) {
      const startMs = performance.now();
      const result = await run();
      const tookMs = performance.now() - startMs;
      results.set(name, result);
      if (round > 0) timesMs.get(name)?.push(tookMs);
    }
  }
  return contenders.map(({ name }) => {
    const sorted = (timesMs.get(name) ?? []).toSorted((a, b) => a - b);
    return {
      name,
      medianMs: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN,
      minMs: sorted[0] ?? Number.NaN,
      maxMs: sorted.at(-1) ?? Number.NaN,
      result: results.get(name) ?? Number.NaN,
    };
  });
}
