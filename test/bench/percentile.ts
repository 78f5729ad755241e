/** The p-th percentile by nearest rank; NaN of nothing. */
export function percentile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((p / 100) * sorted.length) - 1)] ?? Number.NaN;
}

export function rounded(value: number, digits = 2): number {
  return Number(value.toFixed(digits));
}

export interface Percentiles {
  readonly samples: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

export function percentilesOf(valuesMs: readonly number[]): Percentiles {
  const at = (p: number) => rounded(percentile(valuesMs, p), 1);
  return { samples: valuesMs.length, p50: at(50), p95: at(95), p99: at(99) };
}

export function shown({ p50, p95, p99 }: Percentiles): string {
  return `p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms`;
}
