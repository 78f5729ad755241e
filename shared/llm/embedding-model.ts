import type { Transient } from "../privacy/transient.ts";

export interface EmbeddingRequest {
  /** Hold content, so they are wrapped until the request is on the wire. At least one, none of them empty. */
  readonly texts: Transient<readonly string[]>;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface EmbeddingAnswer {
  /** One for each text, in their order; all of one length, every number finite, none of them all zeros. */
  readonly vectors: readonly Float32Array[];
  /** What was billed; a guess when the server counts nothing. */
  readonly tokens: number;
}

/**
 * A model that turns texts into vectors, such that texts that mean alike lie near each other. MUST throw a ScoutsError whose
 * code `modelFailureClass` has a class for, with `data.retryAfterMs` when the server says how long to wait.
 */
export interface EmbeddingModel {
  embed(request: EmbeddingRequest): Promise<EmbeddingAnswer>;
}
