import { parseArgs } from "node:util";
import { editsOnDisk } from "./disk-edits.ts";
import { lostUpdates } from "./interleaving.ts";
import { killAt } from "./kill-step.ts";

/**
 * The long forms of what `npm test` shows in short: `node test/access/prove.ts edits|interleave|kill [--count N] [--seed N]`.
 * Ends with 1 when a promise did not hold.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { count: { type: "string" }, seed: { type: "string", default: "1" } },
});
const seed = Number(values.seed);
const started = performance.now();
let broken: readonly string[] = [];
if (positionals[0] === "edits") {
  const { edits, complaints } = await editsOnDisk(Number(values.count ?? 20_000), seed);
  console.log(`${edits} generated edits on disk, seed ${seed}: ${complaints.length} not byte-exact`);
  broken = complaints;
} else if (positionals[0] === "interleave") {
  const count = Number(values.count ?? 1_000);
  for (let each = 0; each < count; each++) broken = [...broken, ...(await lostUpdates(seed + each))];
  console.log(
    `${count} interleavings of two writers, seeds ${seed} to ${seed + count - 1}: ${broken.length} lost updates`,
  );
} else if (positionals[0] === "kill") {
  for (const how of ["plain", "merge", "dry"] as const) {
    const counts = new Map<string, number>();
    for (let step = 1; ; step++) {
      const outcome = await killAt(step, how);
      if (outcome === "not killed") break;
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
      if (outcome !== "completed" && outcome !== "undone") broken = [...broken, `${how}, step ${step}: ${outcome}`];
    }
    if (counts.size === 0) broken = [...broken, `${how}: never killed`];
    console.log(
      `${how}: killed at every step, ${[...counts].map(([outcome, count]) => `${count} ${outcome}`).join(", ")}`,
    );
  }
} else {
  console.error("usage: node test/access/prove.ts edits|interleave|kill [--count N] [--seed N]");
  process.exitCode = 2;
}
for (const line of broken.slice(0, 10)) console.error(line);
if (broken.length > 0) process.exitCode = 1;
console.log(`${Math.round(performance.now() - started)} ms`);
