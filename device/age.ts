const units = [
  [24 * 3_600_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
] as const;

/** How long ago a time was: `3 d ago`, `just now`. */
export function ago(sinceMs: number, nowMs: number): string {
  const since = age(sinceMs, nowMs);
  return since === "now" ? "just now" : `${since} ago`;
}

/** An age in its largest whole unit: `3 d`, `2 h`, `5 min`, `now`. */
export function age(sinceMs: number, nowMs: number): string {
  const elapsedMs = Math.max(0, nowMs - sinceMs);
  const unit = units.find(([unitMs]) => elapsedMs >= unitMs);
  return unit === undefined ? "now" : `${Math.floor(elapsedMs / unit[0])} ${unit[1]}`;
}
