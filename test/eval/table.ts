import type { Interval } from "./intervals.ts";
import type { Measurement } from "./measure.ts";

/** A share as a percentage, `–` for none. */
export function percent(value: number | null): string {
  return value === null ? "–" : `${(100 * value).toFixed(1)}`;
}

function withInterval(value: number | null, interval: Interval | null): string {
  return interval === null || value === null
    ? percent(value)
    : `${percent(value)} [${percent(interval[0])}–${percent(interval[1])}]`;
}

/** Rows as columns that line up; the first column left, the others right. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join("  "),
    )
    .join("\n");
}

/** Measurements by name, as a table in percent. */
export function measurementTable(title: string, measurements: ReadonlyMap<string, Measurement>): string {
  const head = [title, "mails", "spam", "missed", "false alarms", "precision", "recall", "F1"];
  const rows = [...measurements].map(([name, each]) => {
    const { counts } = each;
    return [
      name,
      String(each.mails),
      String(counts.truePositives + counts.falseNegatives),
      String(counts.falseNegatives),
      String(counts.falsePositives),
      withInterval(each.precision, each.precision95),
      withInterval(each.recall, each.recall95),
      withInterval(each.f1, each.f195),
    ];
  });
  return table([head, ...rows]);
}
