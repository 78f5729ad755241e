import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import * as z from "zod";
import { whole } from "../rounds.ts";

const program = fileURLToPath(new URL("./streaming.ts", import.meta.url));
const report = z.object({ kind: z.string(), sizeBytes: z.number(), grownBytes: z.number() });
const maxGrownBytes = 150 * 1024 * 1024;

/** A sixth of a gigabyte here; `npm run bench -- artifacts` has the whole one. */
const forms = [
  ["jsonl", "jsonl"],
  ["csv", "csv"],
  ["line", "text"],
] as const;
test.each(whole ? forms : forms.slice(0, 1))(
  "a result of 160 MB (%s) is kept in less than 150 MB",
  { timeout: 240_000 },
  (made, kind) => {
    const output = execFileSync(process.execPath, [program, made, "160000000"], { encoding: "utf8", env: {} });
    const { grownBytes, ...rest } = report.parse(JSON.parse(output));
    expect(rest).toMatchObject({ kind });
    expect(rest.sizeBytes).toBeGreaterThanOrEqual(160_000_000);
    expect(grownBytes).toBeLessThan(maxGrownBytes);
  },
);
