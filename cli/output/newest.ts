import type { Output } from "./output.ts";

/** Says under a list, newest first, that it may go on: it is as long as was asked for. @param limit as `--limit` says, or is without it */
export function tellThatOlderMayBe(output: Output, rows: readonly unknown[], limit: number): void {
  if (rows.length < limit) return;
  output.line(
    output.style("dim", `These are the newest ${limit}; older ones, if there are any, are shown with --limit.`),
  );
}
