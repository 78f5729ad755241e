import { readFileSync } from "node:fs";
import { join } from "node:path";

const file = join(import.meta.dirname, "..", "..", "infra", "model", "triage", "weights.json");

/** The weights that ship, as they are on the disk now: training may have written them anew. */
export const shippedWeights = (): unknown => JSON.parse(readFileSync(file, "utf8"));
