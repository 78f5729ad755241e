import { isScoutsError, ScoutsError } from "../../events/errors.ts";
import type { TokenUsage } from "./chat-model.ts";

/** What a failure was billed: a useless answer costs as well, and the model's adapter says how much with the error. */
export function billedUsage(error: unknown): TokenUsage {
  const count = (name: "inputTokens" | "outputTokens") => {
    const value = isScoutsError(error) ? error.data[name] : undefined;
    return typeof value === "number" ? value : 0;
  };
  return { inputTokens: count("inputTokens"), outputTokens: count("outputTokens") };
}

/** The same as one number. */
export function billedTokens(error: unknown): number {
  const { inputTokens, outputTokens } = billedUsage(error);
  return inputTokens + outputTokens;
}

/** A failure that came after an answer was paid for; what that was goes with it, to be counted. */
export function withBilled(error: unknown, { inputTokens, outputTokens }: TokenUsage): ScoutsError {
  const code = isScoutsError(error) ? error.code : "internal";
  const data = isScoutsError(error) ? error.data : {};
  return new ScoutsError(code, { data: { ...data, inputTokens, outputTokens }, cause: error });
}
