import * as z from "zod";
import type { Clock } from "../ports/clock.ts";
import type { Prompts } from "../ports/prompts.ts";
import type { Prompt } from "./prompt.ts";

/** A prompt is asked for at most so often, whether the service answered or not. */
const keptMs = 5 * 60_000;
/** A person waits for the run: the file is as good. */
const timeoutMs = 1_500;
const maxCharacters = 20_000;

const answer = z.object({
  type: z.literal("text"),
  version: z.number().int().positive(),
  prompt: z.string().min(1).max(maxCharacters),
});

export interface LangfuseOptions {
  /** Such as `https://cloud.langfuse.com`. */
  readonly url: string;
  readonly publicKey: string;
  readonly secretKey: string;
}

/**
 * Prompts of a Langfuse project by name, those labelled `production` (Langfuse API reference, GET /api/public/v2/prompts).
 * Only names go there: neither what a prompt is filled with nor what it leads to.
 */
export class LangfusePrompts implements Prompts {
  readonly #options: LangfuseOptions;
  readonly #clock: Clock;
  readonly #fetch: typeof fetch;
  readonly #kept = new Map<string, { readonly untilMs: number; readonly prompt: Promise<Prompt | undefined> }>();

  constructor(options: LangfuseOptions, clock: Clock, fetchImplementation: typeof fetch = fetch) {
    this.#options = options;
    this.#clock = clock;
    this.#fetch = fetchImplementation;
  }

  async current(prompt: Prompt): Promise<Prompt> {
    const nowMs = this.#clock();
    let kept = this.#kept.get(prompt.name);
    if (!kept || kept.untilMs <= nowMs) {
      kept = { untilMs: nowMs + keptMs, prompt: this.#ask(prompt.name) };
      this.#kept.set(prompt.name, kept);
    }
    return (await kept.prompt) ?? prompt;
  }

  /** Whatever goes wrong is the service's affair: the prompt of the code is there. */
  async #ask(name: string): Promise<Prompt | undefined> {
    const { url, publicKey, secretKey } = this.#options;
    try {
      const response = await this.#fetch(new URL(`/api/public/v2/prompts/${encodeURIComponent(name)}`, url), {
        headers: { authorization: `Basic ${Buffer.from(`${publicKey}:${secretKey}`).toString("base64")}` },
        redirect: "error",
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (!response.ok) return undefined;
      const { version, prompt: text } = answer.parse(await response.json());
      return { name, version: `langfuse-${version}`, text };
    } catch {
      // No answer in time, or none that is a prompt: the built-in prompt is used, as without the service.
      return undefined;
    }
  }
}
