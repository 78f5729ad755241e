import type * as z from "zod";
import type { Transient } from "../privacy/transient.ts";
import type { TokenUsage } from "./chat-model.ts";

/** A tool the model may call: its arguments are described by a JSON schema. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** A call as the model asked for it: neither name nor arguments have been checked. */
export interface ModelCall {
  readonly callId: string;
  readonly name: string;
  /** JSON, if the model keeps to it. */
  readonly arguments: string;
}

/** One turn of a conversation. Every call of an assistant's turn MUST be followed by its `tool` turn. */
export type ModelTurn =
  | { readonly role: "system"; readonly text: string }
  /** `image`: a `data:` URL (RFC 2397) to look at with the text. */
  | { readonly role: "user"; readonly text: string; readonly image?: string }
  | { readonly role: "assistant"; readonly text: string; readonly calls: readonly ModelCall[] }
  | { readonly role: "tool"; readonly callId: string; readonly text: string };

/** The form an answer in words is to have. */
export interface AnswerForm {
  /** `[a-z_]{1,64}` */
  readonly name: string;
  readonly schema: z.ZodType;
}

export interface ToolRequest {
  readonly turns: Transient<readonly ModelTurn[]>;
  readonly tools: readonly ToolDefinition[];
  /** `none`: an answer in words is wanted, whatever tools there are. */
  readonly toolChoice: "auto" | "none";
  /** Where the server takes no such wish, the instructions alone say it: whoever asks checks what comes. */
  readonly form?: AnswerForm | undefined;
  readonly maxOutputTokens: number;
  /** For the whole answer, from the request to its last word. */
  readonly timeoutMs: number;
  /** Aborted when the answer is not wanted any more: what there is of it by then is returned. */
  readonly signal: AbortSignal;
}

export interface ToolAnswer {
  readonly text: Transient<string>;
  readonly calls: Transient<readonly Omit<ModelCall, "callId">[]>;
  /** It ends where `maxOutputTokens` were used up. */
  readonly isCut?: boolean;
  /** What was billed; estimated when the answer was broken off before the service said. */
  readonly usage: TokenUsage;
  /** The configured name, perhaps with the date or version the service adds to it. */
  readonly model: string;
}

/**
 * A language model that converses and may ask for tools. Text is handed on as it comes; the next piece waits until the
 * receiver is done. MUST throw as {@link ChatModel} does.
 */
export interface ToolModel {
  converse(request: ToolRequest, onText: (piece: Transient<string>) => Promise<void>): Promise<ToolAnswer>;
}
