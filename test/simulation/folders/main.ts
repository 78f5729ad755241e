import { parseArgs } from "node:util";
import * as z from "zod";
import { runFolderSeed } from "./run.ts";

const whole = z.coerce.number().int().min(1);
const text = { type: "string" } as const;
const { values } = parseArgs({ options: { seeds: text, from: text, seed: text, trace: { type: "boolean" } } });
const { seeds, from, seed, trace } = z
  .object({
    seeds: whole.default(200),
    from: whole.default(1),
    seed: whole.optional(),
    trace: z.boolean().default(false),
  })
  .parse(values);

/** `node test/simulation/folders/main.ts [--seeds N] [--from S]`, or `--seed S [--trace]`: folders' part of the simulation. */
const [first, last] = seed === undefined ? [from, from + seeds - 1] : [seed, seed];
const startedAt = performance.now();
const ends = new Map<string, number>();
const injected = new Map<string, number>();
let files = 0;
let failed = 0;
for (let each = first; each <= last; each += 1) {
  const report = await runFolderSeed(each, trace ? { onTrace: (line) => console.log(line) } : {});
  files += report.files;
  for (const [how, count] of report.ends) ends.set(how, (ends.get(how) ?? 0) + count);
  for (const [kind, count] of report.injected) injected.set(kind, (injected.get(kind) ?? 0) + count);
  if (report.violations.length > 0) failed += 1;
  for (const { rule, detail } of report.violations.slice(0, 3)) console.log(`seed ${each}: ${rule}: ${detail}`);
}
const list = (counts: ReadonlyMap<string, number>) => [...counts].map(([name, count]) => `${name} ${count}`).join(", ");
console.log(`${last - first + 1} seeds in ${((performance.now() - startedAt) / 1000).toFixed(1)} s: ${files} files`);
console.log(`index sessions: ${list(ends)}`);
console.log(`faults: ${list(injected)}`);
console.log(`violations: ${failed} of ${last - first + 1} seeds`);
process.exitCode = failed > 0 ? 1 : 0;
