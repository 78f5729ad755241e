import { parseArgs } from "node:util";
import { EvaluationError } from "./evaluation-error.ts";

/** What every evaluation accepts. */
export interface EvalArguments {
  readonly files: readonly string[];
  readonly json: boolean;
  readonly seed: number;
  readonly folds: number;
  /** Fewer rows, drawn by the seed; infinite by default. */
  readonly limit: number;
  /** Use invented mail where real mail of the data folder would serve. */
  readonly invented: boolean;
  /** Ask the questions that were kept aside. */
  readonly heldOut: boolean;
  /** Files of a folder that is asked about. */
  readonly size: number;
  /** Share of its verdicts a scripted model gets wrong, 0 to 1. */
  readonly error: number;
  /** What it bills for each. */
  readonly tokens: number;
  /** Models to measure; none: the one the environment names. */
  readonly models: readonly string[];
  /** How much of a text a model is shown at most, in characters; each is measured. None: as much as the product shows. */
  readonly shownChars: readonly number[];
  /** Prices, as `priceOf` reads them. */
  readonly prices: readonly string[];
  /** Model requests at a time. */
  readonly concurrency: number;
}

/** Reads the arguments. Throws an {@link EvaluationError} that names the option at fault. */
export function readArguments(args: readonly string[]): EvalArguments {
  const { values, positionals } = parse(args);
  const count = (name: string, text: string | undefined, fallback: number): number => {
    const value = text === undefined ? fallback : Number(text);
    if (!(value >= 1)) throw new EvaluationError(`--${name} wants a number from 1, not "${text}".`);
    return value;
  };
  const shareOf = (name: string, text: string | undefined, fallback: number): number => {
    const value = text === undefined ? fallback : Number(text);
    if (!(value >= 0 && value <= 1)) throw new EvaluationError(`--${name} wants a share from 0 to 1, not "${text}".`);
    return value;
  };
  return {
    files: positionals,
    json: values.json ?? false,
    invented: values.invented ?? false,
    heldOut: values["held-out"] ?? false,
    seed: count("seed", values.seed, 1),
    folds: Math.max(2, count("folds", values.folds, 10)),
    limit: count("limit", values.limit, Number.POSITIVE_INFINITY),
    size: count("size", values.size, 200),
    error: shareOf("error", values.error, 0.03),
    tokens: count("tokens", values.tokens, 700),
    models: values.model ?? [],
    shownChars: (values.chars ?? []).map((text) => count("chars", text, 1)),
    prices: values.price ?? [],
    concurrency: count("concurrency", values.concurrency, 8),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        json: { type: "boolean" },
        invented: { type: "boolean" },
        "held-out": { type: "boolean" },
        seed: { type: "string" },
        folds: { type: "string" },
        limit: { type: "string" },
        size: { type: "string" },
        error: { type: "string" },
        tokens: { type: "string" },
        model: { type: "string", multiple: true },
        chars: { type: "string", multiple: true },
        price: { type: "string", multiple: true },
        concurrency: { type: "string" },
      },
    });
  } catch (error) {
    throw new EvaluationError(error instanceof Error ? error.message : "The arguments cannot be read.");
  }
}
