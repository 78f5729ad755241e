import { APIConnectionError, APIError } from "openai";
import { type ErrorCode, isScoutsError, ScoutsError } from "../../events/errors.ts";

/** What a model may be called in a row: the name comes with the answer, which is content as a whole. */
const modelLabel = /^[\w./:@-]{1,64}$/;

/** The model's name as its answer says, unless that is no name. */
export function modelName(answered: string, asked: string): string {
  return modelLabel.test(answered) ? answered : asked;
}

/** What went wrong with a request to the model, as an error of ours. */
export function modelFailure(error: unknown): ScoutsError {
  if (isScoutsError(error)) return error;
  if (error instanceof APIConnectionError) return new ScoutsError("model_unavailable", { cause: error });
  if (!(error instanceof APIError)) return new ScoutsError("internal", { cause: error });
  const status: number = typeof error.status === "number" ? error.status : 0;
  const seconds = Number(error.headers?.get("retry-after"));
  const data = { status, ...(seconds > 0 ? { retryAfterMs: seconds * 1000 } : {}) };
  return new ScoutsError(codeOf(status), { data, cause: error });
}

/** https://platform.openai.com/docs/guides/error-codes */
function codeOf(status: number): ErrorCode {
  if (status === 401 || status === 403) return "model_forbidden";
  if (status === 429) return "model_rate_limited";
  if (status >= 400 && status < 500 && status !== 408 && status !== 409) return "model_answer_invalid";
  return "model_unavailable";
}
