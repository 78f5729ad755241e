import { deflateRawSync } from "node:zlib";
import type { KindWeights } from "../../infra/model/triage/kinds.ts";
import type { LinearModel } from "../../infra/model/triage/linear-model.ts";
import type { ModelFile } from "../../infra/model/triage/model-file.ts";

/** Rounds a model to what the file holds: four digits a signal, eight bits a word; what rounds to nothing is left out. */
export function encodeModel(model: LinearModel): Pick<ModelFile, "intercept" | "signals" | "vocabulary"> {
  const largest = [...model.vocabulary.values()].reduce((most, weight) => Math.max(most, Math.abs(weight)), 1e-9);
  const scale = largest / 127;
  const entries = [...model.vocabulary]
    .map(([key, weight]) => [key, Math.round(weight / scale)] as const)
    .filter(([, step]) => step !== 0)
    .sort(([one], [other]) => one - other);
  const bytes: number[] = [];
  let previous = 0;
  for (const [key] of entries) {
    let difference = key - previous;
    previous = key;
    while (difference >= 128) {
      bytes.push((difference % 128) + 128);
      difference = Math.floor(difference / 128);
    }
    bytes.push(difference);
  }
  const steps = Int8Array.from(entries, ([, step]) => step);
  const data = deflateRawSync(Buffer.concat([Buffer.from(bytes), Buffer.from(steps.buffer)]), { level: 9 });
  return {
    intercept: rounded(model.intercept),
    signals: Object.fromEntries(
      [...model.signals].filter(([, weight]) => rounded(weight) !== 0).map(([name, weight]) => [name, rounded(weight)]),
    ),
    vocabulary: {
      intercept: rounded(model.vocabularyIntercept),
      count: entries.length,
      scale,
      data: data.toString("base64"),
    },
  };
}

/** Weights of kinds with four digits; what rounds to nothing is left out. */
export function encodeKinds(kinds: KindWeights): ModelFile["kinds"] {
  return Object.fromEntries(
    Object.entries(kinds).map(([kind, weights]) => [
      kind,
      Object.fromEntries(
        [...weights].filter(([, weight]) => rounded(weight) !== 0).map(([name, weight]) => [name, rounded(weight)]),
      ),
    ]),
  );
}

function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
