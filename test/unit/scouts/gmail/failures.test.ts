import { describe, expect, test } from "vitest";
import { ScoutsError } from "../../../../events/errors.ts";
import { gmailFailure } from "../../../../shared/scouts/connectors/gmail/failures.ts";

const nowMs = Date.parse("2026-03-07T18:00:00Z");

/** An error as Google's client throws it, with Google's body. */
function refusal(status: number, reason: string, message = "kanarienvogel", headers: Record<string, string> = {}) {
  const data = { error: { code: status, message, errors: [{ domain: "global", reason, message }] } };
  return Object.assign(new Error(message), { response: { status, data, headers: new Headers(headers) } });
}

describe("Gmail's refusals become the product's codes", () => {
  test.each([
    [400, "invalidArgument", "item_unreadable"],
    [401, "authError", "unauthenticated"],
    [403, "rateLimitExceeded", "source_rate_limited"],
    [403, "userRateLimitExceeded", "source_rate_limited"],
    [403, "quotaExceeded", "source_rate_limited"],
    [403, "dailyLimitExceeded", "source_rate_limited"],
    [403, "insufficientPermissions", "consent_incomplete"],
    [403, "domainPolicy", "source_forbidden"],
    [403, "accessNotConfigured", "configuration_invalid"],
    [403, "forbidden", "source_refused"],
    [404, "notFound", "item_gone"],
    [408, "timeout", "source_unavailable"],
    [429, "rateLimitExceeded", "source_rate_limited"],
    [500, "backendError", "source_unavailable"],
    [503, "backendError", "source_unavailable"],
  ])("%i %s → %s", (status, reason, code) => {
    expect(gmailFailure(refusal(status, reason), nowMs)).toMatchObject({ code, data: { status } });
  });

  const topic = "Error sending test message to Cloud PubSub projects/p/topics/t : ";
  test.each([
    [403, "forbidden", `${topic}User not authorized to perform this action.`, "source_push_refused"],
    [404, "notFound", `${topic}Resource not found (resource=t).`, "source_push_topic_invalid"],
    [400, "invalidArgument", "Invalid topicName does not match projects/p/topics/*", "source_push_topic_invalid"],
    [400, "required", "topicName required", "source_push_topic_invalid"],
    [400, "failedPrecondition", "Mail service not enabled", "source_forbidden"],
    [400, "invalidArgument", "Only one user push notification client allowed per developer", "source_watch_taken"],
  ])("%i %s %s → %s", (status, reason, message, code) => {
    expect(gmailFailure(refusal(status, reason, message), nowMs)).toMatchObject({ code, data: { status } });
  });

  test("the second version of Google's error model has its reasons among the details", () => {
    const of = (reason: string) => ({
      response: {
        status: 403,
        data: { error: { code: 403, message: "x", status: "PERMISSION_DENIED", details: [{ reason }] } },
      },
    });
    expect(gmailFailure(of("ACCESS_TOKEN_SCOPE_INSUFFICIENT"), nowMs).code).toBe("consent_incomplete");
    expect(gmailFailure(of("SERVICE_DISABLED"), nowMs).code).toBe("configuration_invalid");
  });

  test.each([
    [
      "a body that is no JSON",
      { response: { status: 502, data: "<html>", headers: new Headers() } },
      "source_unavailable",
    ],
    ["a body without a list of reasons", { response: { status: 403, data: { error: "x" } } }, "source_refused"],
    ["no answer at all", new Error("socket hang up"), "source_unavailable"],
    ["nothing", undefined, "source_unavailable"],
  ])("%s is understood by its status alone", (_, thrown, code) => {
    expect(gmailFailure(thrown, nowMs).code).toBe(code);
  });

  test("an error of our own passes as it is", () => {
    const error = new ScoutsError("reauth");
    expect(gmailFailure(error, nowMs)).toBe(error);
  });

  test.each([
    ["the header", refusal(429, "rateLimitExceeded", "x", { "retry-after": "7" }), 7_000],
    [
      "the header's date",
      refusal(429, "rateLimitExceeded", "x", { "retry-after": "Sat, 07 Mar 2026 18:02:00 GMT" }),
      120_000,
    ],
    ["the sentence", refusal(429, "rateLimitExceeded", "Limit.  Retry after 2026-03-07T18:03:15.961Z"), 195_961],
    ["a moment gone by", refusal(403, "userRateLimitExceeded", "Retry after 2026-03-07T17:00:00Z"), 1_000],
    ["nobody", refusal(429, "rateLimitExceeded"), undefined],
    ["a sentence that is no time", refusal(429, "rateLimitExceeded", "Retry after lunch"), undefined],
  ])("how long to wait is said by %s", (_, thrown, retryAfterMs) => {
    expect(gmailFailure(thrown, nowMs).data["retryAfterMs"]).toBe(retryAfterMs);
  });

  test("P1: Google's words stay in the cause, which only the logger looks at", () => {
    const { message, data } = gmailFailure(refusal(404, "notFound"), nowMs);
    expect(JSON.stringify({ message, data })).not.toContain("kanarienvogel");
  });
});
