import { builtInModelName } from "../../infra/model/server.ts";
import { EvaluationError } from "./evaluation-error.ts";

/** US dollars a million tokens. */
export interface Price {
  readonly inputUsd: number;
  readonly outputUsd: number;
}

/** Prices that are known without being told; of other models a person says them, as they change. */
const known: ReadonlyMap<string, Price> = new Map([
  [builtInModelName, { inputUsd: 0, outputUsd: 0 }],
  // platform.openai.com/docs/pricing, read November 2026.
  ["gpt-4o-mini", { inputUsd: 0.15, outputUsd: 0.6 }],
]);

/**
 * What a model takes for its tokens.
 *
 * @param told prices as `[NAME=]IN,OUT`; without a name, of every model that is measured
 * @returns undefined where nobody has said
 * @throws EvaluationError for a price that is none
 */
export function priceOf(model: string, told: readonly string[]): Price | undefined {
  const prices = new Map<string | undefined, Price>(told.map(readPrice));
  return prices.get(model) ?? (model === builtInModelName ? undefined : prices.get(undefined)) ?? known.get(model);
}

function readPrice(text: string): [string | undefined, Price] {
  const [, name, inputUsd, outputUsd] = /^(?:(.+)=)?(\d+(?:\.\d+)?),(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (inputUsd === undefined || outputUsd === undefined) {
    throw new EvaluationError(
      `--price wants US dollars a million tokens in and out, such as 0.15,0.6 or NAME=0.15,0.6, not "${text}".`,
    );
  }
  return [name, { inputUsd: Number(inputUsd), outputUsd: Number(outputUsd) }];
}

/** What these tokens cost, in US dollars; null where the price is not known. */
export function costOf(price: Price | undefined, inputTokens: number, outputTokens: number): number | null {
  if (price === undefined) return null;
  return (inputTokens * price.inputUsd + outputTokens * price.outputUsd) / 1e6;
}
