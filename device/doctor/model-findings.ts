const again = "It is asked again by itself; nothing is lost meanwhile.";

/** What can be found of the home's language model, in the form of findings.ts. */
export const modelFindings = {
  model_built_in: { detail: "built-in (set OPENAI_API_KEY, or OPENAI_BASE_URL for a model of your own)" },
  model_ok: { detail: "{{name}} at {{where}} answers" },
  model_cascade: { detail: "{{name}} at {{where}} answers; the built-in model judges what it is sure of before it" },
  model_cascade_unknown: {
    detail: "TRIAGE_CASCADE is '{{value}}', which is none of off, on; no home starts with it",
    advice: "Set it to on or off, or leave it away.",
  },
  model_unknown: {
    detail: "The model at {{where}} {{answers}}: no model '{{name}}'.",
    advice: "Known there: {{known}}. Set OPENAI_MODEL to one of them.",
  },
  model_unknown_none: {
    detail: "The model at {{where}} {{answers}}: no model '{{name}}'.",
    advice:
      "Its server lists no models: see whether OPENAI_BASE_URL is right (it mostly ends in /v1), and set OPENAI_MODEL to a model it has.",
  },
  model_forbidden: {
    detail: "The model at {{where}} {{answers}}: it does not accept the API key.",
    advice: "Set OPENAI_API_KEY to a key that is good there.",
  },
  model_request_refused: {
    detail: "The model '{{name}}' at {{where}} {{answers}}: it does not take our form of request.",
    advice: "Set OPENAI_MODEL to a chat model, or OPENAI_BASE_URL to a server that speaks OpenAI's chat completions.",
  },
  model_quota_spent: {
    detail: "The model at {{where}} {{answers}}: the account has no credit left.",
    advice: "Add credit with its provider, or set OPENAI_API_KEY to a key of another account.",
  },
  model_unreachable: {
    detail: "No connection to the model at {{where}}: nothing listens there, or its name or certificate is wrong.",
    advice: "Start the model's server, or set OPENAI_BASE_URL to where it is.",
  },
  model_not_an_api: {
    detail: "What answers at {{where}} is not a model's API, perhaps a proxy or a web page.",
    advice: "Set OPENAI_BASE_URL to the API's address; it mostly ends in /v1.",
  },
  model_rate_limited: {
    detail: "The model at {{where}} {{answers}}: it is rate limiting.",
    advice: again,
  },
  model_unavailable: {
    detail: "The model at {{where}} {{answers}}: it fails at the moment.",
    advice: again,
  },
  model_garbled: {
    detail: "What the model at {{where}} answers cannot be read: it is cut off, or no JSON.",
    advice: again,
  },
  model_timeout: {
    detail: "The model at {{where}} did not answer in time.",
    advice: "See whether its machine is overloaded, or set OPENAI_MODEL to a smaller model.",
  },
  model_failed: { detail: "The model at {{where}} {{answers}}.", advice: "{{why}}" },
  model_answers: { detail: "answers {{status}}" },
  model_silent: { detail: "does not answer" },
} as const;
