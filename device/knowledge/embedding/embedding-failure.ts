import type { ErrorCode } from "../../../events/error-kinds.ts";
import type { ScoutsError } from "../../../events/errors.ts";

const again = "run the same command again later";
const set = "`scouts embeddings set`";

/** Where a code's own sentence names the settings of the model that answers questions, which this one has not. */
const sentences: Partial<Record<ErrorCode, string>> = {
  model_forbidden: `The embedding model's server does not accept the key; name the variable of one it accepts: ${set} with --key-env.`,
  model_unknown: `The embedding model's server has no model of this name, or nothing at this address; check both: ${set} with --url, which mostly ends in /v1.`,
  model_request_refused: `The embedding model's server does not take what is asked of it; name a model of embeddings: ${set}.`,
  model_unreachable: `No connection to the embedding model's server: nothing listens there, or its name or certificate is wrong. Start it, or name another: ${set} with --url.`,
  model_not_an_api: `What answers at the embedding model's address is not a model's API, perhaps a proxy or a web page; name another: ${set} with --url, which mostly ends in /v1.`,
  model_rate_limited: `The embedding model's server is rate limiting; ${again}.`,
  model_unavailable: `The embedding model's server is failing at the moment; ${again}.`,
  model_timeout: `The embedding model did not answer in time; see whether its machine is overloaded, and ${again}.`,
  model_answer_invalid: `What the embedding model answers is no vector that can be used; name a model of embeddings: ${set}.`,
};

/** What an embedding model failed with, for the person who has set it. */
export class EmbeddingFailure extends Error {
  readonly code: ErrorCode;

  constructor(cause: ScoutsError) {
    super(sentences[cause.code] ?? cause.message, { cause });
    this.name = "EmbeddingFailure";
    this.code = cause.code;
  }
}
