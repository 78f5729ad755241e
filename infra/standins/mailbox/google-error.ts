/** What Google APIs answer when a call fails: the HTTP status and the body of the error model, version 1. */
export class GoogleApiError extends Error {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) {
    super(`HTTP ${status}`);
    this.name = "GoogleApiError";
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

interface ErrorDetail {
  readonly domain?: string;
  readonly reason: string;
  readonly status?: string;
  readonly location?: string;
  readonly locationType?: string;
}

function googleError(code: number, message: string, detail: ErrorDetail, headers: Record<string, string> = {}) {
  const { status, ...rest } = detail;
  return new GoogleApiError(
    code,
    { error: { code, message, errors: [{ message, domain: "global", ...rest }], ...(status ? { status } : {}) } },
    headers,
  );
}

/** https://developers.google.com/workspace/gmail/api/guides/handle-errors, and bodies recorded from the service. */
export const googleErrors = {
  invalidArgument: (message: string) =>
    googleError(400, message, { reason: "invalidArgument", status: "INVALID_ARGUMENT" }),
  failedPrecondition: (message: string) =>
    googleError(400, message, { reason: "failedPrecondition", status: "FAILED_PRECONDITION" }),
  onePushClient: () =>
    googleErrors.invalidArgument(
      "Only one user push notification client allowed per developer (call /stop then try again)",
    ),
  invalidCredentials: () =>
    googleError(401, "Invalid Credentials", {
      reason: "authError",
      status: "UNAUTHENTICATED",
      location: "Authorization",
      locationType: "header",
    }),
  insufficientPermissions: () =>
    new GoogleApiError(403, {
      error: {
        code: 403,
        message: "Request had insufficient authentication scopes.",
        errors: [{ message: "Insufficient Permission", domain: "global", reason: "insufficientPermissions" }],
        status: "PERMISSION_DENIED",
      },
    }),
  delegationDenied: (address: string) =>
    googleError(403, `Delegation denied for ${address}`, { reason: "forbidden", status: "PERMISSION_DENIED" }),
  domainPolicy: () =>
    googleError(403, "The domain administrators have disabled Gmail apps.", {
      reason: "domainPolicy",
      status: "PERMISSION_DENIED",
    }),
  userRateLimitExceeded: () =>
    googleError(403, "User Rate Limit Exceeded", { domain: "usageLimits", reason: "userRateLimitExceeded" }),
  rateLimitExceeded: (per: "user" | "project") => {
    const limit = per === "user" ? "Queries per minute per user" : "Queries per minute";
    const message = `Quota exceeded for quota metric 'Queries' and limit '${limit}' of service 'gmail.googleapis.com' for consumer 'project_number:000000000000'.`;
    return googleError(403, message, { domain: "usageLimits", reason: "rateLimitExceeded" });
  },
  resourceExhausted: () =>
    googleError(429, "Resource has been exhausted (e.g. check quota).", {
      reason: "rateLimitExceeded",
      status: "RESOURCE_EXHAUSTED",
    }),
  /** The time is in the sentence; the header is added only when asked for, because Google mostly leaves it out. */
  retryAfter: (at: Date, header: boolean, nowMs: number) =>
    googleError(
      429,
      `User-rate limit exceeded.  Retry after ${at.toISOString()}`,
      { domain: "usageLimits", reason: "rateLimitExceeded" },
      header ? { "retry-after": String(Math.max(1, Math.ceil((at.getTime() - nowMs) / 1000))) } : {},
    ),
  notFound: () => googleError(404, "Requested entity was not found.", { reason: "notFound", status: "NOT_FOUND" }),
  backendError: (status: number) =>
    googleError(status, status === 503 ? "The service is currently unavailable." : "Internal error encountered.", {
      reason: "backendError",
      status: status === 503 ? "UNAVAILABLE" : "INTERNAL",
    }),
};
