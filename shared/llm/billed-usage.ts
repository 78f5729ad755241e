import { isScoutsError } from "../../events/errors.ts";
import type { TokenUsage } from "./chat-model.ts";

/** What a failure was billed: a useless answer costs as well, and the model's adapter says how much with the error. */
export function billedUsage(error: unknown): TokenUsage {
  const count = (name: "inputTokens" | "outputTokens") => {
    const value = isScoutsError(error) ? error.data[name] : undefined;
    return typeof value === "number" ? value : 0;
  };
  return { inputTokens: count("inputTokens"), outputTokens: count("outputTokens") };
}
