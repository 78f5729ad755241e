import { seededRandom } from "../standins/seeded-random.ts";

/**
 * What goes wrong, as shares of the requests (0 to 1, together at most 1). Read at each request, so a test may change
 * the object while the server runs.
 */
export interface ModelFaults {
  /** Same seed and same requests, same faults. */
  seed?: number;
  error500Rate?: number;
  error429Rate?: number;
  /** `Retry-After` of such a 429, in whole seconds. */
  retryAfterSeconds?: number;
  /** The answer is cut in the middle of its JSON. */
  invalidJsonRate?: number;
  refusalRate?: number;
  slowRate?: number;
  /** How late a slow answer is. */
  slowMs?: number;
}

/** A fault of one request, or none. */
export type ModelFault = "error500" | "error429" | "invalidJson" | "refusal" | "slow" | "none";

/** Draws faults at their rates from a seeded generator. */
export function faultSource(faults: ModelFaults): () => ModelFault {
  const random = seededRandom(faults.seed ?? 1);
  return () => {
    let point = random();
    const rates: readonly (readonly [ModelFault, number | undefined])[] = [
      ["error500", faults.error500Rate],
      ["error429", faults.error429Rate],
      ["invalidJson", faults.invalidJsonRate],
      ["refusal", faults.refusalRate],
      ["slow", faults.slowRate],
    ];
    for (const [fault, rate = 0] of rates) {
      if (point < rate) return fault;
      point -= rate;
    }
    return "none";
  };
}
