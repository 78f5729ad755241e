import { HTTPException } from "hono/http-exception";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import * as z from "zod";
import { errorKinds } from "../../events/error-kinds.ts";
import { isScoutsError } from "../../events/errors.ts";
import { isDiskFull } from "../errors/disk-full.ts";
import { DeviceError, type DeviceErrorCode, isDeviceError } from "../errors.ts";
import { FileRefusal } from "../projects/file-refusal.ts";
import { toldRefusal } from "./projects/file-codes.ts";
import { type Told, toldCode, toldError } from "./told.ts";

/**
 * What a tab is told of a failure.
 *
 * @param field the field of a form that it is about
 */
export const failureBody = (told: Told, field?: string) => ({
  error: { ...told, ...(field !== undefined && { field }) },
});

/** Codes of the device that a tab meets: each has words in every language of the page. */
export const statuses: Partial<Record<DeviceErrorCode, ContentfulStatusCode>> = {
  usage: 400,
  source_unknown: 400,
  value_invalid: 400,
  date_invalid: 400,
  import_invalid: 400,
  attachment_invalid: 400,
  attachment_denied: 403,
  attachment_unavailable: 404,
  attachment_too_large: 413,
  attachment_address: 422,
  attachment_unreadable: 422,
  attachment_overdue: 504,
  proposal_unknown: 404,
  item_unknown: 404,
  scout_unknown: 404,
  project_unknown: 404,
  task_unknown: 404,
  event_unknown: 404,
  note_unknown: 404,
  person_unknown: 404,
  memory_unknown: 404,
  change_unknown: 404,
  change_superseded: 409,
  work_changed: 409,
  answer_unknown: 404,
  approval_unknown: 404,
  approval_ended: 409,
  folder_empty: 409,
  nothing_to_ask: 409,
  model_unusable: 409,
  kept_locked: 409,
  passphrase_wrong: 409,
  folder_not_linked: 404,
  folder_not_found: 409,
  folder_unreadable: 409,
  config_unreadable: 409,
  bucket_credentials: 409,
  bucket_denied: 409,
  bucket_region: 409,
  bucket_unreachable: 409,
  bucket_busy: 409,
  address_insecure: 409,
  project_exists: 409,
  scan_running: 409,
  scan_interrupted: 409,
  scan_superseded: 409,
  scout_exists: 409,
  source_in_use: 409,
  source_account_other: 409,
  source_unavailable: 409,
  source_folder_unknown: 409,
  consent_refused: 409,
  consent_abandoned: 409,
  proposal_decided: 409,
  proposal_undecided: 409,
  draft_changed: 409,
  login_needed: 503,
  home_not_running: 503,
  request_refused: 503,
  connection_lost: 503,
  answer_overdue: 503,
  device_closed: 503,
  store_busy: 503,
  store_closed: 503,
  store_disk: 503,
  store_full: 503,
  drafts_many: 409,
};

export interface Failure {
  readonly status: ContentfulStatusCode;
  readonly body: ReturnType<typeof failureBody>;
}

/** The one place where errors become answers. What nobody expected says nothing of itself. */
export function failureOf(error: unknown): Failure {
  if (isDeviceError(error)) {
    const { field } = error.data;
    const body = failureBody(toldError(error), typeof field === "string" ? field : undefined);
    return { status: statuses[error.code] ?? 500, body };
  }
  if (isScoutsError(error)) {
    const { status } = errorKinds[error.code];
    // The home's 401 is not this tab's: the page would take it for the end of its own token.
    return { status: status === 401 ? 503 : (status as ContentfulStatusCode), body: failureBody(toldError(error)) };
  }
  const refused = error instanceof FileRefusal ? toldRefusal(error) : undefined;
  if (refused !== undefined) return { status: refused.status, body: failureBody(refused.told) };
  if (error instanceof z.ZodError || error instanceof HTTPException) {
    return { status: 400, body: failureBody(toldCode("invalid_request")) };
  }
  // Also of what is kept in a file beside the store, such as what was chosen in the settings.
  if (isDiskFull(error)) return failureOf(new DeviceError("store_full", { cause: error }));
  return { status: 500, body: failureBody(toldCode("internal")) };
}
