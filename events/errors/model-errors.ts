import type { ErrorKind } from "./error-kind.ts";

/** What the language model and its server may fail with. */
export const modelErrorKinds = {
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
} as const satisfies Record<string, ErrorKind>;
