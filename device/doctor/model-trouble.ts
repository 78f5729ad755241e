import { type ErrorCode, errorKinds } from "../../events/error-kinds.ts";
import type { HomeAbout } from "../../events/health.ts";
import { modelFailureClass } from "../../shared/llm/model-failure-class.ts";

type Model = HomeAbout["model"];

/** Models named in one line; a provider may list hundreds. */
const shownModels = 8;

/** What is wrong, without its full stop, and what to do. */
export interface ModelTrouble {
  readonly cause: string;
  readonly cure: string;
}

const again = "It is asked again by itself; nothing is lost meanwhile.";

/** @param at where the model is, and what it answered */
const troubles: Partial<Record<ErrorCode, (model: Model, at: { where: string; answers: string }) => ModelTrouble>> = {
  model_unknown: ({ name, state }, { where, answers }) => ({
    cause: `The model at ${where} ${answers}: no model '${name}'`,
    cure:
      state.known.length === 0
        ? "Its server lists no models: see whether OPENAI_BASE_URL is right (it mostly ends in /v1), and set OPENAI_MODEL to a model it has."
        : `Known there: ${listed(state.known)}. Set OPENAI_MODEL to one of them.`,
  }),
  model_forbidden: (_, { where, answers }) => ({
    cause: `The model at ${where} ${answers}: it does not accept the API key`,
    cure: "Set OPENAI_API_KEY to a key that is good there.",
  }),
  model_request_refused: ({ name }, { where, answers }) => ({
    cause: `The model '${name}' at ${where} ${answers}: it does not take our form of request`,
    cure: "Set OPENAI_MODEL to a chat model, or OPENAI_BASE_URL to a server that speaks OpenAI's chat completions.",
  }),
  model_quota_spent: (_, { where, answers }) => ({
    cause: `The model at ${where} ${answers}: the account has no credit left`,
    cure: "Add credit with its provider, or set OPENAI_API_KEY to a key of another account.",
  }),
  model_unreachable: (_, { where }) => ({
    cause: `No connection to the model at ${where}: nothing listens there, or its name or certificate is wrong`,
    cure: "Start the model's server, or set OPENAI_BASE_URL to where it is.",
  }),
  model_not_an_api: (_, { where }) => ({
    cause: `What answers at ${where} is not a model's API, perhaps a proxy or a web page`,
    cure: "Set OPENAI_BASE_URL to the API's address; it mostly ends in /v1.",
  }),
  model_rate_limited: (_, { where, answers }) => ({
    cause: `The model at ${where} ${answers}: it is rate limiting`,
    cure: again,
  }),
  model_unavailable: (_, { where, answers }) => ({
    cause: `The model at ${where} ${answers}: it fails at the moment`,
    cure: again,
  }),
  model_timeout: (_, { where }) => ({
    cause: `The model at ${where} did not answer in time`,
    cure: "See whether its machine is overloaded, or set OPENAI_MODEL to a smaller model.",
  }),
};

function listed(names: readonly string[]): string {
  const more = names.length > shownModels ? ", …" : "";
  return `${names.slice(0, shownModels).join(", ")}${more}`;
}

/**
 * What is wrong with a language model that cannot be used, and what to do; undefined for one that answers. It names an
 * address and what a server says of itself, so it is for the person whose machine this is and nobody else.
 */
export function modelTrouble(model: Model): ModelTrouble | undefined {
  const { ok, code, status } = model.state;
  if (ok || code === null) return undefined;
  const at = {
    where: model.address ?? "this machine",
    answers: status === null ? "does not answer" : `answers ${status}`,
  };
  const known = troubles[code]?.(model, at);
  if (known !== undefined) return known;
  return { cause: `The model at ${at.where} ${at.answers}`, cure: errorKinds[code].sentence };
}

/** Whether waiting will not mend it. */
export function isMisconfigured({ state }: Model): boolean {
  return state.code !== null && modelFailureClass(state.code) === "configuration";
}
