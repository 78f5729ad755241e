import OpenAI from "openai";
import { ScoutsError } from "../../../events/errors.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import { modelFailure, refusalCode, sourceOf } from "./failure.ts";
import { ModelRefusal } from "./model-refusal.ts";
import {
  adapted,
  type Dialect,
  firstDialect,
  hitsOutputLimit,
  isOfWindow,
  lessThinking,
  lowerCap,
  roomBeside,
  withSchemaInPrompt,
  withThinking,
  withThinkingThatFits,
} from "./request/dialect.ts";

export interface OpenAiOptions {
  readonly apiKey: string;
  /** Up to and with `/v1`, or whatever stands before `/chat/completions` there. */
  readonly baseUrl: string;
  readonly model: string;
  /** For tests; default the environment's. */
  readonly fetch?: typeof fetch;
}

/** More than there are things to adapted, so that it never ends a negotiation that gets somewhere. */
const maxRequests = 16;

/**
 * A model at an OpenAI-compatible server, and how it is to be asked: what the server refuses in a request is dropped or
 * renamed and remembered for as long as this object lives.
 */
export class ModelEndpoint {
  readonly client: OpenAI;
  readonly model: string;
  #dialect: Dialect;

  constructor({ apiKey, baseUrl, model, fetch: fetchImplementation = fetch }: OpenAiOptions) {
    this.client = new OpenAI({
      apiKey,
      baseURL: baseUrl,
      // The library's own retries (2, over 10 minutes each) would outlive a Lambda: the queue does the retrying.
      maxRetries: 0,
      // It prints pieces of a stream it cannot read, whatever they hold.
      logLevel: "off",
      fetch: boundedFetch(fetchImplementation),
    });
    this.model = model;
    this.#dialect = firstDialect(baseUrl);
  }

  /**
   * Says the form wanted in words too, from now on.
   *
   * @param asked the dialect of a request whose answer was not of that form
   * @returns false when it was said already, or need not be
   */
  sayForm(asked: Dialect): boolean {
    if (this.#dialect.schemaInPrompt) return !asked.schemaInPrompt;
    return this.#speak(withSchemaInPrompt(this.#dialect));
  }

  /**
   * Leaves room for thinking from now on.
   *
   * @param asked the dialect of a request whose cap thinking took
   * @returns false when there was room already, or none can be had
   */
  makeRoom(asked: Dialect, wantedTokens: number): boolean {
    if (this.#dialect.thinkingTokens > 0) return asked.thinkingTokens === 0;
    return this.#speak(withThinking(this.#dialect, wantedTokens));
  }

  /**
   * Sends until the server takes the form of the request, or nothing is left to give up.
   *
   * @param send sends once, in that dialect; throws what the library throws
   * @returns what `send` did, and the dialect it was in
   * @param wantedTokens the cap of the request
   * @throws ScoutsError model_…; what failed with the deadline is model_timeout
   */
  async negotiate<T>(
    send: (dialect: Dialect) => Promise<T>,
    wantedTokens: number,
    deadline: AbortSignal,
  ): Promise<{ readonly answer: T; readonly asked: Dialect }> {
    // What one text leaves of the window is no other's.
    let [room, thinking] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let requests = 1; ; requests += 1) {
      const known = this.#dialect;
      const spoken = {
        ...known,
        maxOutputTokens: Math.min(room, known.maxOutputTokens),
        thinkingTokens: Math.min(thinking, known.thinkingTokens),
      };
      try {
        return { answer: await send(spoken), asked: spoken };
      } catch (error) {
        if (deadline.aborted) throw new ScoutsError("model_timeout", { cause: error });
        const source = sourceOf(error);
        if (!(source instanceof ModelRefusal) || requests >= maxRequests) throw modelFailure(error);
        // Another request may have learnt of it meanwhile.
        const isCurrent = this.#dialect === known;
        if (!isCurrent || this.#speak(nextDialect(known, spoken, source, wantedTokens))) continue;
        const left = roomBeside(source, spoken, wantedTokens);
        const less = refusalCode(source) === "model_item_too_long" ? lessThinking(spoken) : undefined;
        if (left !== undefined) room = left;
        else if (less !== undefined) thinking = less;
        else throw modelFailure(error);
      }
    }
  }

  #speak(next: Dialect | undefined): boolean {
    if (next) this.#dialect = next;
    return next !== undefined;
  }
}

/** @param spoken what was refused: the dialect, with the room that this text has */
function nextDialect(
  dialect: Dialect,
  spoken: Dialect,
  refusal: ModelRefusal,
  wantedTokens: number,
): Dialect | undefined {
  if (hitsOutputLimit(refusal)) return withThinking(dialect, wantedTokens);
  const code = refusalCode(refusal);
  if (code !== "model_item_too_long") return code === undefined ? adapted(dialect, refusal, wantedTokens) : undefined;
  const fitting = withThinkingThatFits(dialect, refusal);
  // The window may hold the text, and only the cap does not fit beside it.
  if (fitting !== undefined || isOfWindow(refusal) || spoken.thinkingTokens > 0) return fitting;
  return lowerCap(dialect, refusal, wantedTokens);
}
