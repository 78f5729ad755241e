/**
 * How a failure is treated by a worker that meets it: `retry` is a fault and spends an attempt, `defer` is waiting and
 * does not, `never` is final.
 */
export type RetryClass = "never" | "retry" | "defer";

export interface ErrorKind {
  readonly status: number;
  readonly retry: RetryClass;
  /** One sentence a person can act on. It never holds content, so it may be logged, stored and sent. */
  readonly sentence: string;
}

/** Every failure that crosses a boundary. A code is part of the protocol: it may be added, never renamed. */
export const errorKinds = {
  invalid_request: { status: 400, retry: "never", sentence: "The request is not valid." },
  invalid_frame: { status: 400, retry: "never", sentence: "The frame is not valid." },
  unknown_frame: { status: 400, retry: "never", sentence: "The frame's type is not known." },
  invalid_message: { status: 400, retry: "never", sentence: "The queued message is not valid." },
  protocol_unsupported: { status: 400, retry: "never", sentence: "The device speaks another version of the protocol." },
  unauthenticated: {
    status: 401,
    retry: "never",
    sentence: "The credentials are missing or not accepted; sign in again.",
  },
  ticket_invalid: { status: 401, retry: "never", sentence: "The connection ticket is not valid." },
  ticket_spent: { status: 401, retry: "never", sentence: "The connection ticket has been used." },
  forbidden: { status: 403, retry: "never", sentence: "This is not allowed." },
  method_not_allowed: { status: 405, retry: "never", sentence: "This address does not accept that method." },
  payload_too_large: { status: 413, retry: "never", sentence: "The request is too large; send less at once." },
  unsupported_media_type: { status: 415, retry: "never", sentence: "The request's body must be JSON." },
  idempotency_conflict: {
    status: 409,
    retry: "never",
    sentence: "This idempotency key was used for another request.",
  },
  not_found: { status: 404, retry: "never", sentence: "There is nothing at this address." },
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
  source_not_connected: {
    status: 409,
    retry: "never",
    sentence: "The scout is not connected to its source yet; connect it first.",
  },
  source_in_use: { status: 409, retry: "never", sentence: "You already have a scout on this source." },
  source_account_other: {
    status: 409,
    retry: "never",
    sentence:
      "This is another account than the one the scout reads; choose that one, or add a scout for the other with `scouts add`.",
  },
  source_credentials_refused: {
    status: 422,
    retry: "never",
    sentence: "The source does not accept this user and secret; check both, and whether it wants an app password.",
  },
  consent_invalid: { status: 400, retry: "never", sentence: "The consent is not valid or has expired; start again." },
  consent_incomplete: { status: 403, retry: "never", sentence: "Access was not granted in full; connect again." },
  reauth: { status: 409, retry: "never", sentence: "Access to the source was withdrawn; connect again." },
  source_forbidden: {
    status: 403,
    retry: "never",
    sentence: "The source's administrator does not allow access; ask them for it, then connect again.",
  },
  source_wants_password: {
    status: 403,
    retry: "never",
    sentence:
      "The source asks for a password (401), and feeds are read without one; add an address that asks for none, if it has one, and remove the scout that reads this one.",
  },
  source_gone: {
    status: 410,
    retry: "never",
    sentence:
      "The source is gone for good (410); add it where it is now, if it has moved, and remove the scout that reads this one.",
  },
  source_address_refused: {
    status: 400,
    retry: "never",
    sentence:
      "Sources at this address are not read: it lies inside a network, or is none of the web. Give one of the internet, or have the operator allow others (docs/deploy.md).",
  },
  source_not_encrypted: {
    status: 502,
    retry: "retry",
    sentence:
      "The source's server does not encrypt this connection, so nothing was sent over it; use implicit TLS (for mail port 993), or have its STARTTLS mended.",
  },
  source_certificate_refused: {
    status: 502,
    retry: "retry",
    sentence:
      "The certificate of the source's server is not valid for its name, has expired, or is signed by nobody this machine knows; check the host's name, have the certificate mended, or have your own authority believed (docs/connect-imap.md).",
  },
  source_folder_unknown: {
    status: 404,
    retry: "retry",
    sentence:
      "A folder that is to be read is not at the source (renamed or deleted there), or does not open; choose the scout's folders anew, all that it is to read: scouts reconnect NAME --folder …",
  },
  source_lacks_move: {
    status: 409,
    retry: "never",
    sentence:
      "The source cannot move an item in one step (a mail server without MOVE), so nothing is put into its trash; spam is dismissed here and stays where it is.",
  },
  source_lacks_trash: {
    status: 409,
    retry: "never",
    sentence:
      "The source names no folder as its trash (a mail server marks one with \\Trash), so nothing is put there; make one in a mail program or at the provider, then try again.",
  },
  source_refused: {
    status: 403,
    retry: "never",
    sentence: "The source refuses us for a reason its owner cannot correct; it is asked again from time to time.",
  },
  source_push_refused: {
    status: 403,
    retry: "never",
    sentence: "The source may not publish to our push topic; its set-up command, run again, gives it that right.",
  },
  source_push_topic_invalid: {
    status: 400,
    retry: "never",
    sentence:
      "The push topic does not exist, or is of another project than our client; its setting must name the right one.",
  },
  source_path_missing: {
    status: 422,
    retry: "retry",
    sentence:
      "There is nothing at this path on the home's machine; see how it is written, and put back what was moved or unplugged.",
  },
  source_path_no_file: {
    status: 422,
    retry: "retry",
    sentence:
      "What is at this path is neither a file nor a folder; give an mbox file, a message, a Maildir or a folder of .eml.",
  },
  source_path_no_mail: {
    status: 422,
    retry: "retry",
    sentence:
      'What is at this path is no mail: an mbox file begins with a line "From …", a message with its header; a Maildir or a folder of .eml is read as well.',
  },
  source_path_empty: {
    status: 422,
    retry: "retry",
    sentence:
      "There is no mail at this path, and nothing tells that it is for mail: an empty Maildir (cur, new, tmp) is taken, and an empty file whose name ends in .mbox or has no ending; anything else once there is mail in it.",
  },
  source_path_unreadable: {
    status: 422,
    retry: "retry",
    sentence:
      "The mail at this path cannot be read; see that its permissions allow the home to read it, and that its drive is there.",
  },
  source_no_feed: {
    status: 422,
    retry: "retry",
    sentence:
      "There is a web page at this address and no feed; look on the page for a link called RSS, Atom or Feed, and give the address behind it.",
  },
  source_too_large: {
    status: 422,
    retry: "retry",
    sentence: "What the source answers is longer than anything that is read; see whether it has a shorter one.",
  },
  source_leads_round: {
    status: 502,
    retry: "retry",
    sentence:
      "The source's address leads on to others and never arrives; open it in a browser, and give the address where that ends.",
  },
  source_unreadable: { status: 422, retry: "retry", sentence: "What the source answers cannot be read." },
  source_quota_spent: { status: 429, retry: "defer", sentence: "What the source allows in a minute is used up." },
  source_rate_limited: {
    status: 429,
    retry: "defer",
    sentence: "The source is rate limiting us; it is asked again later.",
  },
  source_unavailable: { status: 503, retry: "retry", sentence: "The source does not answer; it is asked again." },
  source_watch_taken: {
    status: 409,
    retry: "retry",
    sentence: "Another subscription of this mailbox keeps us from being notified of new mail; ours is tried again.",
  },
  source_history_lost: {
    status: 503,
    retry: "retry",
    sentence: "The source no longer knows the position we had read up to, twice in a row; it is tried again.",
  },
  item_gone: { status: 404, retry: "never", sentence: "The item is gone at its source." },
  item_unreadable: { status: 422, retry: "never", sentence: "The item cannot be read." },
  model_forbidden: {
    status: 502,
    retry: "retry",
    sentence: "The language model's server does not accept the API key; set OPENAI_API_KEY to one it accepts.",
  },
  model_unknown: {
    status: 502,
    retry: "defer",
    sentence:
      "The language model's server has no model of this name, or nothing at this address; check OPENAI_MODEL and OPENAI_BASE_URL.",
  },
  model_request_refused: {
    status: 502,
    retry: "defer",
    sentence: "The language model's server does not accept the format of our requests.",
  },
  model_quota_spent: {
    status: 502,
    retry: "defer",
    sentence: "The account at the language model's provider has no credit left; top it up.",
  },
  model_unreachable: {
    status: 502,
    retry: "defer",
    sentence:
      "No connection to the language model's server: nothing listens there, or its name or certificate is wrong.",
  },
  model_not_an_api: {
    status: 502,
    retry: "defer",
    sentence: "What answers at the language model's address is not a model's API, perhaps a proxy or a web page.",
  },
  model_rate_limited: {
    status: 429,
    retry: "defer",
    sentence:
      "The language model's server is rate limiting; what waits goes on by itself, a question has to be asked again later.",
  },
  model_unavailable: {
    status: 503,
    retry: "retry",
    sentence:
      "The language model's server is failing at the moment; what waits goes on by itself, a question has to be asked again.",
  },
  model_refused: { status: 502, retry: "never", sentence: "The language model refused to answer." },
  model_item_too_long: { status: 502, retry: "never", sentence: "The text is too long for the language model." },
  model_item_invalid: {
    status: 502,
    retry: "never",
    sentence: "The language model's server does not accept this text or picture.",
  },
  model_timeout: { status: 504, retry: "retry", sentence: "The language model did not answer in time." },
  model_answer_invalid: {
    status: 502,
    retry: "never",
    sentence: "The language model's answer does not have the required format.",
  },
  quota_exceeded: {
    status: 402,
    retry: "defer",
    sentence: "The month's token allowance is used up; it is renewed at the beginning of the next month.",
  },
  interrupted: { status: 503, retry: "retry", sentence: "The work was interrupted and will be tried again." },
  attempts_exhausted: { status: 503, retry: "never", sentence: "The work failed too often and was set aside." },
  storage_throttled: {
    status: 503,
    retry: "retry",
    sentence: "The store is rate limiting us; the request is made again later.",
  },
  storage_unavailable: { status: 503, retry: "retry", sentence: "The store does not answer." },
  row_damaged: {
    status: 500,
    retry: "never",
    sentence:
      "A row of the store cannot be read; the service's operator restores it, or runs the version that wrote it. What it is about waits meanwhile.",
  },
  queue_unavailable: {
    status: 503,
    retry: "retry",
    sentence: "The queue does not accept messages; they are sent again.",
  },
  keys_unavailable: { status: 503, retry: "retry", sentence: "The key service does not answer; it is asked again." },
  sealed_unreadable: { status: 500, retry: "never", sentence: "Sealed data cannot be opened with the keys we hold." },
  configuration_invalid: {
    status: 500,
    retry: "never",
    sentence: "A setting of the service is missing or wrong; its operator has to correct it.",
  },
  internal: { status: 500, retry: "retry", sentence: "Something unexpected went wrong; the log has its cause." },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errorKinds;

/** The codes as a list, for schemas. */
export const errorCodes = Object.keys(errorKinds) as [ErrorCode, ...ErrorCode[]];
