import * as z from "zod";
import type { ErrorCode } from "../../../../events/error-kinds.ts";
import { ScoutsError } from "../../../../events/errors.ts";
import { boundedWaitMs } from "../../../requests/wait.ts";

const reasonList = z.array(z.object({ reason: z.string().default("") })).default([]);
/** The body of every Gmail API error (https://developers.google.com/workspace/gmail/api/guides/handle-errors). */
const errorBody = z.object({
  error: z.object({
    message: z.string().default(""),
    status: z.string().optional(),
    errors: reasonList,
    details: reasonList,
  }),
});
const thrown = z.object({
  response: z.object({ status: z.number(), data: z.unknown(), headers: z.unknown().optional() }),
});

interface Rule {
  readonly status: number;
  readonly reasons?: readonly string[];
  /** Where only the sentence tells one failure from another. */
  readonly says?: RegExp;
  readonly code: ErrorCode;
}

/**
 * What Gmail answers and what it is here, first match decides. Reasons and sentences as in the guide "Resolve errors" and
 * as recorded from the service; `watch` sends a test message to the topic, whose failures are the operator's to mend, and
 * so is everything about the project. What only the owner or their administrator can mend has a code that switches off
 * (shared/outcome/outcome.ts).
 */
const rules: readonly Rule[] = [
  { status: 400, says: /^Only one user push notification client/, code: "source_watch_taken" },
  { status: 400, says: /topicName|Cloud Pub\/?Sub/, code: "source_push_topic_invalid" },
  { status: 400, says: /^Mail service not enabled/, code: "source_forbidden" },
  { status: 401, code: "unauthenticated" },
  { status: 403, says: /Cloud Pub\/?Sub/, code: "source_push_refused" },
  {
    status: 403,
    reasons: [
      "rateLimitExceeded",
      "userRateLimitExceeded",
      "quotaExceeded",
      "dailyLimitExceeded",
      "RATE_LIMIT_EXCEEDED",
    ],
    code: "source_rate_limited",
  },
  { status: 403, reasons: ["insufficientPermissions", "ACCESS_TOKEN_SCOPE_INSUFFICIENT"], code: "consent_incomplete" },
  { status: 403, reasons: ["domainPolicy"], code: "source_forbidden" },
  { status: 403, reasons: ["accessNotConfigured", "SERVICE_DISABLED"], code: "configuration_invalid" },
  { status: 403, code: "source_refused" },
  { status: 404, says: /Cloud Pub\/?Sub/, code: "source_push_topic_invalid" },
  { status: 404, code: "item_gone" },
  { status: 429, code: "source_rate_limited" },
  { status: 408, code: "source_unavailable" },
];

/** What a Gmail call threw, as the product's own error. Google's words stay in the cause: they may quote content. */
export function gmailFailure(error: unknown, nowMs: number): ScoutsError {
  if (error instanceof ScoutsError) return error;
  const answer = thrown.safeParse(error);
  if (!answer.success) return new ScoutsError("source_unavailable", { cause: error });
  const { status, data, headers } = answer.data.response;
  const body = errorBody.safeParse(data);
  const { errors = [], details = [] } = body.success ? body.data.error : {};
  const reasons = [...errors, ...details].map((each) => each.reason);
  const sentence = body.success ? body.data.error.message : "";
  const rule = rules.find(
    (each) =>
      each.status === status &&
      (each.reasons === undefined || each.reasons.some((r) => reasons.includes(r))) &&
      (each.says === undefined || each.says.test(sentence)),
  );
  const code = rule?.code ?? (status >= 500 ? "source_unavailable" : "item_unreadable");
  const wait = retryAfterMs(headers, sentence, nowMs);
  return new ScoutsError(code, {
    data: { status, ...(wait === undefined ? {} : { retryAfterMs: wait }) },
    cause: error,
  });
}

/** Gmail says when to come back in a header (seconds or a date, RFC 9110 §10.2.3) or, for user-rate limits, inside the sentence. */
function retryAfterMs(headers: unknown, message: string, nowMs: number): number | undefined {
  const header = (headers instanceof Headers ? headers.get("retry-after") : null) ?? "";
  if (Number(header) > 0) return boundedWaitMs(Number(header) * 1000);
  const said = Date.parse(header);
  const at = Number.isNaN(said) ? Date.parse(/Retry after (\S+)/i.exec(message)?.[1] ?? "") : said;
  return Number.isNaN(at) ? undefined : Math.max(1000, boundedWaitMs(at - nowMs));
}
