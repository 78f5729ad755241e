import type { ErrorCode } from "../../events/error-kinds.ts";
import { isScoutsError, ScoutsError } from "../../events/errors.ts";
import { delays } from "./delays.ts";

/**
 * What became of a queued message. `retry` is for faults and spends one of the queue's receives; `defer` is for waiting
 * and spends none; the others are final for this message.
 */
export type Outcome =
  | { readonly kind: "done" }
  | { readonly kind: "retry"; readonly code: ErrorCode }
  | { readonly kind: "defer"; readonly untilMs: number; readonly code: ErrorCode }
  | { readonly kind: "deadLetter"; readonly code: ErrorCode }
  | { readonly kind: "drop"; readonly code: ErrorCode }
  | { readonly kind: "disable"; readonly code: ErrorCode };

export const done: Outcome = { kind: "done" };
/** A message that nobody has said anything of: it may not have been worked on, so the queue brings it again. */
export const unsettled: Outcome = { kind: "retry", code: "internal" };

/** Codes after which the scout cannot go on until its owner does something. */
export const switchingOff: ReadonlySet<ErrorCode> = new Set([
  "reauth",
  "source_forbidden",
  "source_wants_password",
  "source_gone",
  "source_in_use",
  "source_address_refused",
  "consent_incomplete",
]);
/**
 * Codes only the operator can mend, most of them for everybody at once. Nobody is switched off and no attempt is spent for it: all is
 * tried again, seldom, until it works.
 */
const operators: ReadonlySet<ErrorCode> = new Set([
  "configuration_invalid",
  "row_damaged",
  "sealing_key_unknown",
  "source_refused",
  "source_push_refused",
  "source_push_topic_invalid",
]);
/** Codes that keep a part of a source back until its owner has done something. The rest of it goes on. */
const partial: ReadonlySet<ErrorCode> = new Set(["source_folder_unknown"]);
/** Codes that end the item, not as a failure: there is nothing left to judge. */
const dropping: ReadonlySet<ErrorCode> = new Set(["item_gone", "scout_not_found", "scout_deleting", "session_ended"]);

/** What everything here stands on. It fails for many at once, and none of them is to blame for it. */
const ownServices: ReadonlySet<ErrorCode> = new Set([
  "keys_unavailable",
  "queue_unavailable",
  "storage_throttled",
  "storage_unavailable",
]);

/** The one place where errors become outcomes. An error nobody foresaw is a fault: it is tried again. */
export function outcomeOf(error: unknown, nowMs: number): Outcome {
  if (!isScoutsError(error)) return unsettled;
  const code = error.code;
  if (mayPass(error)) return { kind: "defer", untilMs: nowMs + delays.signIn, code };
  if (switchingOff.has(code)) return { kind: "disable", code };
  if (dropping.has(code)) return { kind: "drop", code };
  if (isOperators(code)) return { kind: "defer", untilMs: nowMs + delays.operator, code };
  if (error.kind.retry === "defer") {
    const wait = error.data["retryAfterMs"];
    return {
      kind: "defer",
      untilMs: nowMs + (typeof wait === "number" ? Math.max(wait, 1000) : delays.rateLimited),
      code,
    };
  }
  return error.kind.retry === "retry" ? { kind: "retry", code } : { kind: "deadLetter", code };
}

/**
 * Whether it is a sign-in that was refused in words that servers also have for what passes (overload, a store of users that is away):
 * only one that is refused for long is access that was withdrawn.
 */
export const mayPass = (error: unknown): boolean => isScoutsError(error, "reauth") && error.data["mayPass"] === true;

/** The log event an operator is alarmed by: something only they can mend keeps work waiting. */
export const configurationInvalid = "configuration_invalid";

/** Whether only the operator can mend it. */
export function isOperators(code: ErrorCode): boolean {
  return operators.has(code);
}

/** Whether it is a failure of what everything here stands on, which is back in a moment. */
export function isOwnService(code: ErrorCode): boolean {
  return ownServices.has(code);
}

/** Whether items of a part of the source wait for their owner, while the scout and its other items go on. */
export function keepsPartBack(code: ErrorCode): boolean {
  return partial.has(code);
}

/** The error as the product's own; anything unknown becomes `internal` with the original as cause. */
export function asScoutsError(error: unknown): ScoutsError {
  return isScoutsError(error) ? error : new ScoutsError("internal", { cause: error });
}
