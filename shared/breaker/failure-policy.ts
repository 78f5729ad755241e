import type { ErrorCode } from "../../events/error-kinds.ts";
import { type ModelFailureClass, modelFailureClass } from "../llm/model-failure-class.ts";

/** What every worker does with a failure of the model, whichever queue it works on. */
export interface FailurePolicy {
  /** Whether it spends one of the item's attempts. */
  readonly spendsAttempt: boolean;
  /** Whether the model itself may be to blame: then its probe is asked before anything is decided. */
  readonly suspectsModel: boolean;
  /** Whether somebody who looks on (a scan, a question) is answered at once: trying again soon would not help. */
  readonly answersAtOnce: boolean;
}

const policies: Readonly<Record<ModelFailureClass | "timeout", FailurePolicy>> = {
  configuration: { spendsAttempt: false, suspectsModel: true, answersAtOnce: true },
  busy: { spendsAttempt: false, suspectsModel: true, answersAtOnce: false },
  item: { spendsAttempt: true, suspectsModel: false, answersAtOnce: true },
  answer: { spendsAttempt: true, suspectsModel: false, answersAtOnce: true },
  // The item's, unless the probe times out too.
  timeout: { spendsAttempt: true, suspectsModel: true, answersAtOnce: false },
};

/** The policy for a code; undefined when it is not a language model's. */
export function failurePolicy(code: ErrorCode): FailurePolicy | undefined {
  if (code === "model_timeout") return policies.timeout;
  const of = modelFailureClass(code);
  return of && policies[of];
}
