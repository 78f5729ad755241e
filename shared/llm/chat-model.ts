import type * as z from "zod";
import type { Transient } from "../privacy/transient.ts";

export interface ChatRequest<S extends z.ZodType> {
  readonly system: string;
  /** Holds content, so it is wrapped until the request is on the wire. */
  readonly user: Transient<string>;
  /** An image to look at with it: a `data:` URL (RFC 2397). */
  readonly image?: Transient<string>;
  readonly schema: S;
  /** Name of the schema, `[a-z_]{1,64}`; tells the job to whoever answers. */
  readonly schemaName: string;
  /** For the answer; a model that thinks may get more for that. */
  readonly maxOutputTokens: number;
  /** For all of it, tries and negotiation included. */
  readonly timeoutMs: number;
  /** How often to ask when the answer is not of the agreed form, default 2; the tokens of all tries count. */
  readonly tries?: number;
}

export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface ChatAnswer<T> {
  readonly value: Transient<T>;
  /** What was billed, over all tries. */
  readonly usage: TokenUsage;
  /** The configured name, perhaps with the date or version the service adds to it. */
  readonly model: string;
}

/**
 * A language model that answers in a given form. MUST throw a ScoutsError whose code `modelFailureClass` has a class
 * for, with `data.retryAfterMs` when the server says how long to wait, and with `data.inputTokens` and
 * `data.outputTokens` when something was billed: a useless answer is billed as well.
 */
export interface ChatModel {
  complete<S extends z.ZodType>(request: ChatRequest<S>): Promise<ChatAnswer<z.infer<S>>>;
}
