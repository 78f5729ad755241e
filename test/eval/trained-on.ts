import { readFileSync } from "node:fs";
import { join } from "node:path";
import { modelFileSchema } from "../../infra/model/triage/model-file.ts";

const weights = join(import.meta.dirname, "..", "..", "infra", "model", "triage", "weights.json");

/** Sources whose mail the committed weights were trained on. */
export function trainedOn(): Set<string> {
  return new Set(Object.keys(modelFileSchema.parse(JSON.parse(readFileSync(weights, "utf8"))).trainedOn));
}
