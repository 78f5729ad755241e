import { deflateRawSync } from "node:zlib";
import type { KindWeights } from "../../infra/model/triage/kinds/kind-of.ts";
import type { KindWords } from "../../infra/model/triage/kinds/kind-words.ts";
import { type MailKind, mailKinds } from "../../infra/model/triage/kinds/mail-kinds.ts";
import type { LinearModel } from "../../infra/model/triage/linear-model.ts";
import type { ModelFile } from "../../infra/model/triage/model-file.ts";

/** Rounds a model to what the file holds: four digits a signal, eight bits a word and kind; what rounds to nothing is left out. */
export function encodeModel(model: LinearModel): Pick<ModelFile, "intercept" | "signals" | "words" | "ratings"> {
  return {
    intercept: rounded(model.intercept),
    signals: Object.fromEntries(
      [...model.signals].filter(([, weight]) => rounded(weight) !== 0).map(([name, weight]) => [name, rounded(weight)]),
    ),
    words: encodeWords(model.words),
    ratings: encodeWords(model.ratings),
  };
}

function encodeWords({ intercepts, rows, weights }: KindWords): ModelFile["words"] {
  const kinds = intercepts.length;
  const scale = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 1e-9) / 127;
  const entries = [...rows]
    .map(
      ([key, row]) =>
        [key, Int8Array.from(weights.subarray(row, row + kinds), (each) => Math.round(each / scale))] as const,
    )
    .filter(([, steps]) => steps.some((step) => step !== 0))
    .sort(([one], [other]) => one - other);
  const hashes: number[] = [];
  let previous = 0;
  for (const [key] of entries) {
    let difference = key - previous;
    previous = key;
    while (difference >= 128) {
      hashes.push((difference % 128) + 128);
      difference = Math.floor(difference / 128);
    }
    hashes.push(difference);
  }
  const steps = [...intercepts.keys()].map((kind) => Int8Array.from(entries, ([, own]) => own[kind] ?? 0));
  const data = deflateRawSync(Buffer.concat([Buffer.from(hashes), ...steps.map(({ buffer }) => Buffer.from(buffer))]), {
    level: 9,
  });
  return { intercepts: interceptsOf(intercepts), count: entries.length, scale, data: data.toString("base64") };
}

function interceptsOf(values: Float32Array): ModelFile["words"]["intercepts"] {
  const of = (kind: MailKind): number => rounded(values[mailKinds.indexOf(kind)] ?? 0);
  return {
    personal: of("personal"),
    list: of("list"),
    newsletter: of("newsletter"),
    transactional: of("transactional"),
    advertising: of("advertising"),
    phishing: of("phishing"),
    fraud: of("fraud"),
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
