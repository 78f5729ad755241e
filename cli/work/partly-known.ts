import type { PartlyKnown } from "../../device/work/recurrence/partly-known.ts";
import type { Output } from "../output/output.ts";
import { printable, truncated } from "../output/printable.ts";

const mostNamed = 5;
const widestTitle = 40;

/** Says of which series not all times are known, so that nobody takes what is listed for all there is; nothing where there is none. */
export function showPartlyKnown(output: Output, partlyKnown: readonly PartlyKnown[], indent = ""): void {
  if (partlyKnown.length === 0) return;
  const named = partlyKnown.slice(0, mostNamed).map(({ title }) => truncated(printable(title), widestTitle));
  const more = partlyKnown.length - named.length;
  const all = `${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  output.line(output.style("yellow", `${indent}Not all times are known of: ${all}; scouts event show says why`));
}
