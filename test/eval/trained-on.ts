import { modelFileSchema } from "../../infra/model/triage/model-file.ts";
import { shippedWeights } from "./shipped-weights.ts";

/** Sources whose mail the committed weights were trained on. */
export function trainedOn(): Set<string> {
  return new Set(Object.keys(modelFileSchema.parse(shippedWeights()).trainedOn));
}
