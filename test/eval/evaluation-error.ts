/** Something the person at the terminal can put right, in one sentence. */
export class EvaluationError extends Error {
  override readonly name = "EvaluationError";
}
