import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type * as z from "zod";

/**
 * Published test material beside the checkout; what is measured on it is skipped when it is not there, which the run says once
 * (test/what-is-absent.ts).
 */
export const dataFolder = new URL("../../../shared/data/", import.meta.url);
export const hasData = existsSync(dataFolder);

/** The rows of a `.jsonl` or `.jsonl.gz` file, each checked. */
export function dataRows<S extends z.ZodType>(name: string, schema: S): z.output<S>[] {
  const bytes = readFileSync(new URL(name, dataFolder));
  const text = (name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => schema.parse(JSON.parse(line)));
}
