import type { Output } from "./output.ts";
import { printable } from "./printable.ts";

/** Prints names and values under each other, names dimmed and of one width. */
export function facts(output: Output, pairs: readonly (readonly [name: string, value: string])[]): void {
  const width = Math.max(...pairs.map(([name]) => name.length)) + 2;
  for (const [name, value] of pairs) output.line(`${output.style("dim", name.padEnd(width))}${printable(value)}`);
}
