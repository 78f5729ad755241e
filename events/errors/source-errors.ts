import type { ErrorKind } from "./error-kind.ts";

/** What a source, its access or one of its items may fail with, while a scout is made and while it reads. */
export const sourceErrorKinds = {
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
  reauth: {
    status: 409,
    retry: "never",
    sentence: "Access to the source was withdrawn, or its password was changed; connect again.",
  },
  source_forbidden: {
    status: 403,
    retry: "never",
    sentence: "The source's administrator does not allow access; ask them for it, then connect again.",
  },
  source_wants_password: {
    status: 403,
    retry: "never",
    sentence:
      "The source asks for a password (401), and feeds are read without one; add an address that asks for none, if it has one, and remove the scout that reads this one, if there is one.",
  },
  source_gone: {
    status: 410,
    retry: "never",
    sentence:
      "The source is gone for good (410); add it where it is now, if it has moved, and remove the scout that reads this one, if there is one.",
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
  source_items_change: {
    status: 422,
    retry: "retry",
    sentence:
      "The feed gives its items other names each time it is read, so none of them can be found again; see whether its site has another feed.",
  },
  source_unreadable: { status: 422, retry: "retry", sentence: "What the source answers cannot be read." },
  source_quota_spent: { status: 429, retry: "defer", sentence: "What the source allows in a minute is used up." },
  source_rate_limited: {
    status: 429,
    retry: "defer",
    sentence:
      "The source is rate limiting us; a scout that is there asks it again later, and to add it, try again in a while.",
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
} as const satisfies Record<string, ErrorKind>;
