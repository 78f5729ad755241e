import type { ErrorKind } from "./error-kind.ts";

/** What the service itself may fail with: its budget, workers, store, queues, keys and settings. */
export const serviceErrorKinds = {
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
  sealing_key_unknown: {
    status: 500,
    retry: "never",
    sentence:
      "The service does not hold the key that this is sealed with, perhaps because it is being updated; else its operator puts the key back. What it is about waits meanwhile.",
  },
  configuration_invalid: {
    status: 500,
    retry: "never",
    sentence: "A setting of the service is missing or wrong; its operator has to correct it.",
  },
  internal: { status: 500, retry: "retry", sentence: "Something unexpected went wrong; the log has its cause." },
} as const satisfies Record<string, ErrorKind>;
