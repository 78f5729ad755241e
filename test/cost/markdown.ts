/** A number a person reads: 1,234,567. */
export const grouped = (value: number): string => Math.round(value).toLocaleString("en-GB");

export const dollars = (value: number): string => (value < 100 ? `$${value.toFixed(2)}` : `$${grouped(value)}`);

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
