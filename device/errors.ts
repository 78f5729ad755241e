import { type ErrorCode, type ErrorData, errorKinds } from "../events/errors.ts";

/** How the command line ends for each family of failure; the table is in docs/device.md. */
type ExitCode = 1 | 2 | 3 | 4 | 5 | 6;

interface DeviceErrorKind {
  readonly exitCode: ExitCode;
  readonly sentence: string;
}

/** Every failure of the device's own half. What the cloud refuses keeps the cloud's code (events/errors.ts). */
export const deviceErrorKinds = {
  internal: { exitCode: 1, sentence: "Something unexpected went wrong." },
  usage: { exitCode: 2, sentence: "The command is not written as it should be; try --help." },
  proposal_unknown: { exitCode: 3, sentence: "There is no such proposal on this device." },
  scout_unknown: { exitCode: 3, sentence: "There is no such scout." },
  project_unknown: { exitCode: 3, sentence: "There is no such project on this device." },
  task_unknown: { exitCode: 3, sentence: "There is no such task on this device." },
  folder_not_found: { exitCode: 4, sentence: "The project's folder was not found." },
  folder_unreadable: { exitCode: 4, sentence: "The project's folder cannot be read." },
  folder_not_linked: { exitCode: 5, sentence: "No folder is linked to the project." },
  project_exists: { exitCode: 5, sentence: "There is a project of that name already." },
  scan_running: { exitCode: 5, sentence: "The project's folder is being scanned already." },
  scan_interrupted: { exitCode: 1, sentence: "The scan was interrupted; the next one goes on from there." },
  scan_superseded: { exitCode: 5, sentence: "The folder was unlinked, or another scan took over, meanwhile." },
  home_not_running: { exitCode: 4, sentence: "No home is running on this data folder; start one with `scouts up`." },
  login_needed: { exitCode: 4, sentence: "Not signed in, or not any more; run `scouts login`." },
  credentials_unreadable: { exitCode: 4, sentence: "What is kept of the sign-in cannot be read; run `scouts login`." },
  store_missing: { exitCode: 4, sentence: "There is no device data yet; run `scouts up` first." },
  store_unreadable: { exitCode: 4, sentence: "The device's database cannot be read." },
  store_newer: { exitCode: 4, sentence: "The device's database was written by a newer version of scouts." },
  store_busy: { exitCode: 4, sentence: "Another process keeps the device's database locked; try again." },
  store_full: { exitCode: 4, sentence: "There is no space left for the device's database." },
  folder_unusable: { exitCode: 4, sentence: "The data folder cannot be used." },
  proposal_decided: { exitCode: 5, sentence: "The proposal has been decided or closed already." },
  attention_needed: { exitCode: 6, sentence: "Something needs attention." },
  frame_too_large: { exitCode: 1, sentence: "The frame is larger than the socket allows." },
  frame_invalid: { exitCode: 1, sentence: "A frame from the cloud is not valid." },
  auth_failed: { exitCode: 1, sentence: "No token could be had for this device." },
  ticket_refused: { exitCode: 1, sentence: "The cloud gave no ticket for the socket." },
  ticket_unavailable: { exitCode: 1, sentence: "The cloud could not be reached for a ticket." },
  address_insecure: { exitCode: 1, sentence: "The address is not encrypted, and not on this machine." },
  connection_lost: { exitCode: 1, sentence: "The connection was lost." },
  answer_overdue: { exitCode: 1, sentence: "The cloud did not answer in time." },
  upload_failed: { exitCode: 1, sentence: "What was too large for a frame could not be uploaded." },
  page_incomplete: { exitCode: 1, sentence: "A page of proposals arrived with proposals missing." },
  consent_refused: { exitCode: 1, sentence: "Access was not granted." },
  consent_abandoned: { exitCode: 1, sentence: "The consent was not finished in time." },
  login_failed: { exitCode: 1, sentence: "The issuer refuses the sign-in." },
  issuer_unusable: { exitCode: 1, sentence: "The issuer does not answer as an OIDC issuer should." },
  request_refused: { exitCode: 1, sentence: "The cloud refused the request." },
  google_credentials: { exitCode: 1, sentence: "No usable Google credentials were found." },
  google_forbidden: { exitCode: 1, sentence: "These Google credentials may not do that." },
  google_invalid: { exitCode: 1, sentence: "Google refuses a value." },
  google_conflict: { exitCode: 1, sentence: "There is something else of that name on Google's side." },
  google_unavailable: { exitCode: 1, sentence: "Google does not answer; try again." },
  device_closed: { exitCode: 1, sentence: "The device is closed." },
} as const satisfies Record<string, DeviceErrorKind>;

export type DeviceErrorCode = keyof typeof deviceErrorKinds;

/** The one error of the device. `message` is a sentence for a person: the code's, or a more exact one in its place. */
export class DeviceError extends Error {
  readonly code: DeviceErrorCode;
  readonly data: ErrorData;

  constructor(code: DeviceErrorCode, options: { sentence?: string; data?: ErrorData; cause?: unknown } = {}) {
    super(
      options.sentence ?? deviceErrorKinds[code].sentence,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.name = "DeviceError";
    this.code = code;
    this.data = options.data ?? {};
  }

  get exitCode(): ExitCode {
    return deviceErrorKinds[this.code].exitCode;
  }
}

/** Narrows a caught value to {@link DeviceError}, by code when one is given. */
export function isDeviceError(error: unknown, code?: DeviceErrorCode): error is DeviceError {
  return error instanceof DeviceError && (code === undefined || error.code === code);
}

/** The sentence of any code, the device's or the cloud's. */
export function sentenceOf(code: DeviceErrorCode | ErrorCode): string {
  const kinds: Record<string, { readonly sentence: string }> = { ...errorKinds, ...deviceErrorKinds };
  return kinds[code]?.sentence ?? deviceErrorKinds.internal.sentence;
}
