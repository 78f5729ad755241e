import { describe, expect, test } from "vitest";
import { type ErrorCode, errorCodes, errorKinds } from "../../../events/error-kinds.ts";
import { ScoutsError } from "../../../events/errors.ts";
import { outcomeOf } from "../../../shared/outcome/outcome.ts";

const nowMs = 1_700_000_000_000;

describe("errors become outcomes in one place", () => {
  test.each<[ErrorCode, ReturnType<typeof outcomeOf>["kind"]]>([
    ["reauth", "disable"],
    ["source_forbidden", "disable"],
    ["source_wants_password", "disable"],
    ["source_in_use", "disable"],
    ["consent_incomplete", "disable"],
    ["item_gone", "drop"],
    ["scout_not_found", "drop"],
    ["session_ended", "drop"],
    ["source_rate_limited", "defer"],
    ["model_rate_limited", "defer"],
    ["quota_exceeded", "defer"],
    ["configuration_invalid", "defer"],
    ["sealing_key_unknown", "defer"],
    ["source_refused", "defer"],
    ["source_push_refused", "defer"],
    ["source_push_topic_invalid", "defer"],
    ["source_unavailable", "retry"],
    ["model_unavailable", "retry"],
    ["storage_throttled", "retry"],
    ["queue_unavailable", "retry"],
    ["internal", "retry"],
    ["item_unreadable", "deadLetter"],
    ["model_answer_invalid", "deadLetter"],
    ["model_refused", "deadLetter"],
    ["sealed_unreadable", "deadLetter"],
  ])("%s → %s", (code, kind) => {
    expect(outcomeOf(new ScoutsError(code), nowMs)).toMatchObject({ kind, code });
  });

  test("every code has an outcome, and waiting is never a retry", () => {
    for (const code of errorCodes) {
      const { kind } = outcomeOf(new ScoutsError(code), nowMs);
      if (errorKinds[code].retry === "defer") expect(kind, code).toBe("defer");
      if (kind === "retry") expect(errorKinds[code].retry, code).toBe("retry");
    }
  });

  test("an error nobody foresaw is a fault and is tried again", () => {
    for (const thrown of [new TypeError("x"), "text", undefined, { code: "reauth" }]) {
      expect(outcomeOf(thrown, nowMs)).toEqual({ kind: "retry", code: "internal" });
    }
  });

  test.each([
    [undefined, 30_000],
    [5_000, 5_000],
    [10, 1_000],
    ["90", 30_000],
  ])("a wait of %s ms lasts %i", (retryAfterMs, waitsMs) => {
    const data = retryAfterMs === undefined ? {} : { retryAfterMs };
    const outcome = outcomeOf(new ScoutsError("source_rate_limited", { data }), nowMs);
    expect(outcome).toMatchObject({ kind: "defer", untilMs: nowMs + waitsMs });
  });

  test("P1: an error's message is its code's sentence, whatever caused it", () => {
    const error = new ScoutsError("internal", { cause: new Error("kanarienvogel") });
    expect(error.message).toBe(errorKinds.internal.sentence);
  });
});
