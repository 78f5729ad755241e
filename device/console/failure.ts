import { HTTPException } from "hono/http-exception";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import * as z from "zod";
import { errorKinds, isScoutsError } from "../../events/errors.ts";
import { type DeviceErrorCode, deviceErrorKinds, isDeviceError } from "../errors.ts";

/** What a tab is told of a failure: the sentences are those of the command line, with cause and cure. */
export const failureBody = (code: string, message: string) => ({ error: { code, message } });

const statuses: Partial<Record<DeviceErrorCode, ContentfulStatusCode>> = {
  proposal_unknown: 404,
  item_unknown: 404,
  proposal_decided: 409,
  decision_sent: 409,
  login_needed: 503,
  home_not_running: 503,
  request_refused: 503,
  connection_lost: 503,
  answer_overdue: 503,
  device_closed: 503,
  store_busy: 503,
};

export interface Failure {
  readonly status: ContentfulStatusCode;
  readonly body: ReturnType<typeof failureBody>;
}

/** The one place where errors become answers. What nobody expected says nothing of itself. */
export function failureOf(error: unknown): Failure {
  if (isDeviceError(error)) {
    return { status: statuses[error.code] ?? 500, body: failureBody(error.code, error.message) };
  }
  if (isScoutsError(error)) {
    const { status, sentence } = errorKinds[error.code];
    // The home's 401 is not this tab's: the page would take it for the end of its own token.
    return { status: status === 401 ? 503 : (status as ContentfulStatusCode), body: failureBody(error.code, sentence) };
  }
  if (error instanceof z.ZodError || error instanceof HTTPException) {
    return { status: 400, body: failureBody("invalid_request", errorKinds.invalid_request.sentence) };
  }
  return { status: 500, body: failureBody("internal", deviceErrorKinds.internal.sentence) };
}
