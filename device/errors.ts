import { type ErrorCode, errorKinds } from "../events/error-kinds.ts";
import { type ErrorData, ScoutsError } from "../events/errors.ts";
import { attachmentErrors } from "./errors/attachment-errors.ts";
import { bucketErrorKinds } from "./errors/bucket-errors.ts";
import { configErrorKinds } from "./errors/config-errors.ts";
import { homeErrorKinds } from "./errors/home-errors.ts";
import { sourceErrors } from "./errors/source-errors.ts";
import { toolErrorKinds } from "./errors/tool-errors.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";

interface DeviceErrorKind {
  /** How the command line ends on it. */
  readonly exitCode: ExitCode;
  readonly sentence: string;
}

/** Every failure of the device's own half. What the cloud refuses keeps the cloud's code (events/error-kinds.ts). */
export const deviceErrorKinds = {
  internal: { exitCode: exitCodes.failed, sentence: "Something unexpected went wrong." },
  ...attachmentErrors,
  ...configErrorKinds,
  ...toolErrorKinds,
  ...bucketErrorKinds,
  usage: { exitCode: exitCodes.usage, sentence: "The command is not valid; --help shows how it is written." },
  proposal_unknown: { exitCode: exitCodes.unknown, sentence: "There is no such proposal on this device." },
  scout_exists: {
    exitCode: exitCodes.settled,
    sentence: "There is a scout of that name already; choose another name.",
  },
  ...sourceErrors,
  scout_unknown: { exitCode: exitCodes.unknown, sentence: "There is no such scout." },
  project_unknown: { exitCode: exitCodes.unknown, sentence: "There is no such project on this device." },
  item_unknown: { exitCode: exitCodes.unknown, sentence: "There is no such proposal, and no such dismissed item." },
  task_unknown: { exitCode: exitCodes.unknown, sentence: "There is no such task on this device." },
  event_unknown: { exitCode: exitCodes.unknown, sentence: "There is no such event on this device." },
  note_unknown: { exitCode: exitCodes.unknown, sentence: "There is no such note on this device." },
  person_unknown: { exitCode: exitCodes.unknown, sentence: "There is no such person on this device." },
  memory_unknown: { exitCode: exitCodes.unknown, sentence: "There is no such fact on this device." },
  answer_unknown: {
    exitCode: exitCodes.unknown,
    sentence: "There is no such answer on this device; see: scouts answers list",
  },
  kept_locked: {
    exitCode: exitCodes.unusable,
    sentence:
      "What agents left on this device is encrypted; give the passphrase in SCOUTS_PASSPHRASE. If it is lost: scouts passphrase --help",
  },
  passphrase_wrong: {
    exitCode: exitCodes.unusable,
    sentence: "This is not the passphrase of this device; check SCOUTS_PASSPHRASE.",
  },
  passphrase_set: {
    exitCode: exitCodes.settled,
    sentence: "There is a passphrase already; `scouts passphrase change` gives another one.",
  },
  passphrase_unreadable: {
    exitCode: exitCodes.unusable,
    sentence:
      "The key that what agents left is encrypted by (device/passphrase.json) is damaged; restore that file from a backup, or give up what it encrypts: scouts passphrase forget",
  },
  approval_unknown: {
    exitCode: exitCodes.unknown,
    sentence: "Nothing of this name waits for an answer; see: scouts approvals list",
  },
  approval_ended: { exitCode: exitCodes.settled, sentence: "This waits for an answer no more." },
  change_unknown: { exitCode: exitCodes.unknown, sentence: "There is no such change; the history lists them." },
  change_superseded: {
    exitCode: exitCodes.settled,
    sentence: "Something newer rests on this change; undo that first. The history lists both.",
  },
  work_changed: {
    exitCode: exitCodes.settled,
    sentence: "It was changed elsewhere meanwhile, so nothing was overwritten. Look at it as it is now, and choose.",
  },
  date_invalid: {
    exitCode: exitCodes.usage,
    sentence: "This is not understood as a date; write it as 2026-11-27 or 2026-11-27T17:00.",
  },
  export_failed: { exitCode: exitCodes.failed, sentence: "The file cannot be written; check its folder." },
  import_invalid: { exitCode: exitCodes.failed, sentence: "The file is not of this form; nothing was taken from it." },
  value_invalid: { exitCode: exitCodes.usage, sentence: "A value cannot be kept; --help says how it is written." },
  folder_not_found: {
    exitCode: exitCodes.unusable,
    sentence:
      "The project's folder was not found. Was it moved, or is its drive not there? `scouts project link` names another one.",
  },
  folder_unreadable: {
    exitCode: exitCodes.unusable,
    sentence: "The project's folder cannot be read; check its permissions.",
  },
  folder_not_linked: {
    exitCode: exitCodes.settled,
    sentence: "No folder is linked to the project; `scouts project link` links one.",
  },
  folder_empty: {
    exitCode: exitCodes.settled,
    sentence: "Nothing is known of the project's folder yet; `scouts project rescan` reads it.",
  },
  nothing_to_ask: {
    exitCode: exitCodes.settled,
    sentence:
      "There is nothing to answer from: no project has a folder, no scout has proposed anything, and there is no task, event or note. Link a folder (scouts project add, scouts project link) or add a scout (scouts add).",
  },
  project_exists: {
    exitCode: exitCodes.settled,
    sentence: "There is a project of that name already; choose another name.",
  },
  scan_running: { exitCode: exitCodes.settled, sentence: "The project's folder is being scanned already." },
  scan_interrupted: {
    exitCode: exitCodes.failed,
    sentence: "The scan was interrupted; the next one goes on from there.",
  },
  scan_superseded: {
    exitCode: exitCodes.settled,
    sentence: "The folder was unlinked, or another scan took over, meanwhile.",
  },
  ...homeErrorKinds,
  store_missing: { exitCode: exitCodes.unusable, sentence: "There is no device data yet; run `scouts up` first." },
  store_unreadable: {
    exitCode: exitCodes.unusable,
    sentence: "The device's database cannot be read; `scouts doctor` says what is wrong with it.",
  },
  store_closed: {
    exitCode: exitCodes.unusable,
    sentence:
      "A database of this device cannot be opened just now: too many files are open, or it, or what lies beside it, may not be used by this account. Nothing in it is lost; see whose it is (`ls -l`), and try again.",
  },
  store_disk: {
    exitCode: exitCodes.unusable,
    sentence:
      "The disk of this device's databases cannot be read or written just now: it was removed, fails, takes no more, or can only be read. What they hold is not lost by that; look with `mount`, `df` and `dmesg`, and start this program again if that stays.",
  },
  store_newer: {
    exitCode: exitCodes.unusable,
    sentence: "The device's database was written by a newer version of scouts; update this one.",
  },
  store_busy: {
    exitCode: exitCodes.unusable,
    sentence: "Another process keeps the device's database locked; try again.",
  },
  store_full: {
    exitCode: exitCodes.unusable,
    sentence: "There is no space left for the device's database; free some and try again.",
  },
  drafts_many: {
    exitCode: exitCodes.unusable,
    sentence: "Too many texts are kept unsaved already; save or discard some of them.",
  },
  folder_unusable: {
    exitCode: exitCodes.unusable,
    sentence: "The data folder cannot be used; check that it exists and that you may write to it.",
  },
  proposal_decided: { exitCode: exitCodes.settled, sentence: "The proposal has been decided or closed already." },
  draft_changed: {
    exitCode: exitCodes.settled,
    sentence: "The draft was changed elsewhere meanwhile; look at what it says now. Nothing was changed.",
  },
  proposal_undecided: {
    exitCode: exitCodes.settled,
    sentence: "Nobody has decided this proposal, so there is nothing to undo or to open again.",
  },
  model_unusable: { exitCode: exitCodes.nothingJudged, sentence: "The language model cannot be used." },
  interrupted: { exitCode: exitCodes.interrupted, sentence: "Interrupted." },
  attention_needed: { exitCode: exitCodes.attention, sentence: "Something needs attention." },
  frame_too_large: { exitCode: exitCodes.failed, sentence: "The frame is larger than the socket allows." },
  frame_invalid: { exitCode: exitCodes.failed, sentence: "A frame from the home is not valid." },
  auth_failed: {
    exitCode: exitCodes.failed,
    sentence: "Could not obtain an access token for this device; run `scouts login` when this stays so.",
  },
  ticket_refused: {
    exitCode: exitCodes.failed,
    sentence: "The home refused to let this device connect; run `scouts login` when this stays so.",
  },
  ticket_unavailable: {
    exitCode: exitCodes.failed,
    sentence: "The home could not be reached; check the network. It is tried again.",
  },
  address_insecure: { exitCode: exitCodes.failed, sentence: "The address is not encrypted, and not on this machine." },
  connection_lost: { exitCode: exitCodes.failed, sentence: "The connection to the home was lost; try again." },
  answer_overdue: { exitCode: exitCodes.failed, sentence: "The home did not answer in time; try again." },
  upload_failed: { exitCode: exitCodes.failed, sentence: "A large file or answer could not be uploaded; try again." },
  page_incomplete: { exitCode: exitCodes.failed, sentence: "A page of proposals arrived with proposals missing." },
  consent_refused: {
    exitCode: exitCodes.failed,
    sentence: "Access was not granted; start again to be asked once more.",
  },
  consent_abandoned: { exitCode: exitCodes.failed, sentence: "The consent was not finished in time; start again." },
  device_code_unsupported: {
    exitCode: exitCodes.usage,
    sentence:
      "Google grants access to mail by device code to nobody. Without a browser on this machine use --print-url: open the address on any other, and paste back the one it ends on.",
  },
  login_failed: {
    exitCode: exitCodes.failed,
    sentence: "The identity provider refuses the sign-in; check the client id and the account.",
  },
  issuer_unusable: {
    exitCode: exitCodes.failed,
    sentence: "The identity provider does not answer as OpenID Connect asks; check its address.",
  },
  request_refused: { exitCode: exitCodes.failed, sentence: "The home refused the request." },
  google_credentials: {
    exitCode: exitCodes.failed,
    sentence: "No usable Google credentials were found; run `gcloud auth application-default login`.",
  },
  google_forbidden: {
    exitCode: exitCodes.failed,
    sentence: "These Google credentials may not do that; sign in with an account that may.",
  },
  google_invalid: { exitCode: exitCodes.failed, sentence: "Google refuses a value." },
  google_conflict: { exitCode: exitCodes.failed, sentence: "Google already has something else of that name." },
  google_unavailable: { exitCode: exitCodes.failed, sentence: "Google does not answer; try again." },
  device_closed: { exitCode: exitCodes.failed, sentence: "The device is closed." },
} as const satisfies Record<string, DeviceErrorKind>;

export type DeviceErrorCode = keyof typeof deviceErrorKinds;

/** Which of its code's exact sentences an error says, and what that names (exact-sentences.ts). */
export interface ExactSentence {
  readonly about: string;
  readonly values: Readonly<Record<string, string | number>>;
}

interface DeviceErrorOptions {
  readonly sentence?: string;
  readonly exact?: ExactSentence;
  readonly data?: ErrorData;
  readonly cause?: unknown;
}

/** The one error of the device. `message` is a sentence for a person: the code's, or a more exact one in its place. */
export class DeviceError extends Error {
  readonly code: DeviceErrorCode;
  readonly data: ErrorData;
  /** For whoever says it in other words; none where `message` is the code's own sentence, or one of a single place. */
  readonly exact: ExactSentence | undefined;

  constructor(code: DeviceErrorCode, options: DeviceErrorOptions = {}) {
    super(
      options.sentence ?? deviceErrorKinds[code].sentence,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.name = "DeviceError";
    this.code = code;
    this.data = options.data ?? {};
    this.exact = options.exact;
  }

  get exitCode(): ExitCode {
    return deviceErrorKinds[this.code].exitCode;
  }
}

/** Narrows a caught value to {@link DeviceError}, by code when one is given. */
export function isDeviceError(error: unknown, ...codes: readonly DeviceErrorCode[]): error is DeviceError {
  return error instanceof DeviceError && (codes.length === 0 || codes.includes(error.code));
}

/** What was thrown, as an error: a dependency may throw anything. */
export const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new DeviceError("internal", { cause: thrown });

/** The sentence of any code, the device's or the cloud's. */
export function sentenceOf(code: DeviceErrorCode | ErrorCode): string {
  const kinds: Record<string, { readonly sentence: string }> = { ...errorKinds, ...deviceErrorKinds };
  return kinds[code]?.sentence ?? deviceErrorKinds.internal.sentence;
}

/** Whether a text that was kept is a code of this version. */
export const isKnownCode = (text: string): text is DeviceErrorCode | ErrorCode =>
  isDeviceCode(text) || Object.hasOwn(errorKinds, text);

/** The error of any code: the device's own, or the cloud's. */
export function errorOf(code: DeviceErrorCode | ErrorCode): DeviceError | ScoutsError {
  return isDeviceCode(code) ? new DeviceError(code) : new ScoutsError(code);
}

function isDeviceCode(code: string): code is DeviceErrorCode {
  return Object.hasOwn(deviceErrorKinds, code);
}
