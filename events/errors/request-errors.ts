import type { ErrorKind } from "./error-kind.ts";

/** What is refused before anybody looks at what it asks for: its form, and who sends it. */
export const requestErrorKinds = {
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
} as const satisfies Record<string, ErrorKind>;
