import type { ErrorCode } from "../../events/error-kinds.ts";

/**
 * Whose affair a failed request to a language model is:
 * - `configuration`: key, address, name or account are wrong; every request fails until somebody mends it.
 * - `busy`: the server is overloaded or fails; waiting helps.
 * - `item`: this text or picture is the cause; others go through.
 * - `answer`: the model answered, but not in the form agreed.
 *
 * Configuration and busy MUST spend no attempt of an item. A timeout is the item's unless a probe times out too.
 */
export type ModelFailureClass = "configuration" | "busy" | "item" | "answer";

const classes: Readonly<Partial<Record<ErrorCode, ModelFailureClass>>> = {
  model_forbidden: "configuration",
  model_unknown: "configuration",
  model_request_refused: "configuration",
  model_quota_spent: "configuration",
  model_unreachable: "configuration",
  model_not_an_api: "configuration",
  model_rate_limited: "busy",
  model_unavailable: "busy",
  model_refused: "item",
  model_item_too_long: "item",
  model_item_invalid: "item",
  model_timeout: "item",
  model_answer_invalid: "answer",
};

/** The class of a failure; undefined for codes that are not a language model's. */
export function modelFailureClass(code: ErrorCode): ModelFailureClass | undefined {
  return classes[code];
}
