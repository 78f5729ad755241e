import type { ErrorCode } from "../../events/error-kinds.ts";

export interface ModelProbeRequest {
  /** For everything the probe asks, in milliseconds. */
  readonly timeoutMs: number;
  /** Whether to ask for the list of models too; default no. After `model_unknown` it is asked for in any case. */
  readonly listModels?: boolean;
}

/**
 * What a probe found. `models` and `known` are the names the server lists, at most 100, none when it lists none. They
 * are the server's words: show them to the person whose server it is; never store or log them.
 */
export type ModelProbeResult =
  | { readonly ok: true; readonly models?: readonly string[] }
  | {
      readonly ok: false;
      /** Always one that `modelFailureClass` has a class for. */
      readonly code: ErrorCode;
      /** HTTP status, when there was an answer. */
      readonly status?: number;
      /** How long the server asks to be left alone. */
      readonly retryAfterMs?: number;
      readonly known?: readonly string[];
    };

/**
 * Asks a language model's server whether it would answer, by a fixed text of ours with nothing of a person's in it, and
 * for as few tokens as it takes. Any answer of the model counts, whatever its words. MUST NOT throw.
 */
export interface ModelProbe {
  probe(request: ModelProbeRequest): Promise<ModelProbeResult>;
}
