import type { ErrorKind } from "./error-kind.ts";

/** What is asked for is not there, or in no state that allows it: scouts, proposals, sessions, folders, trials and runs. */
export const stateErrorKinds = {
  scout_not_found: { status: 404, retry: "never", sentence: "There is no such scout." },
  proposal_not_found: { status: 404, retry: "never", sentence: "There is no such proposal." },
  source_unknown: { status: 400, retry: "never", sentence: "There is no connector for this kind of source." },
  session_unknown: { status: 409, retry: "never", sentence: "Say hello first: the session is not known." },
  session_ended: { status: 410, retry: "never", sentence: "The session has ended." },
  upload_missing: { status: 409, retry: "never", sentence: "The upload that was named is not there." },
  index_unknown: { status: 409, retry: "never", sentence: "The index session is not known; start it first." },
  index_ended: { status: 410, retry: "never", sentence: "The index session has ended." },
  folder_max_files: {
    status: 402,
    retry: "never",
    sentence: "The folder has more files than your plan covers.",
  },
  folder_monthly_tokens: {
    status: 402,
    retry: "never",
    sentence: "The month's tokens for folders are used up.",
  },
  trial_unknown: {
    status: 404,
    retry: "never",
    sentence: "There is no such trial; its results are kept for twelve hours. Start another with `scouts try`.",
  },
  trial_without_items: {
    status: 409,
    retry: "never",
    sentence: "The scout has judged nothing yet that another purpose could be tried on; try again when it has.",
  },
  categorize_off: {
    status: 409,
    retry: "never",
    sentence: "No language model reads proposals here; rules on the device do. Set one up for that (docs/models.md).",
  },
  categorize_claimed: {
    status: 409,
    retry: "never",
    sentence: "Another of your devices has this proposal read; its result comes, or this device may ask after a while.",
  },
  proposal_not_open: {
    status: 409,
    retry: "never",
    sentence: "The proposal is not open for a decision in this round any more.",
  },
  run_unknown: { status: 404, retry: "never", sentence: "There is no such run." },
  run_ended: { status: 410, retry: "never", sentence: "The run has ended." },
  step_replayed: { status: 409, retry: "never", sentence: "This step of the run has been taken already." },
  state_invalid: { status: 400, retry: "never", sentence: "The continuation does not belong to this step of the run." },
  action_unknown: { status: 400, retry: "never", sentence: "The device knows no such action." },
  conflict: { status: 409, retry: "retry", sentence: "Somebody else changed this at the same time." },
  rate_limited: { status: 429, retry: "defer", sentence: "Too many requests; try again later." },
  scout_disabled: { status: 409, retry: "never", sentence: "The scout is switched off; its health says why." },
  scout_deleting: { status: 409, retry: "never", sentence: "The scout is being deleted." },
  scout_paused: {
    status: 409,
    retry: "never",
    sentence: "The scout is paused; resume it first.",
  },
} as const satisfies Record<string, ErrorKind>;
