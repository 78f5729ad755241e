import type { HomeAbout, ModelState } from "../../events/health.ts";
import type { ModelProbe } from "../../shared/llm/model-probe.ts";

/** What is found holds for so long; a failure is looked at again sooner, since somebody may be mending it. */
const freshMs = { ok: 60_000, failed: 3_000 } as const;
/** A model that is loaded from disk for the first question takes its time. */
const probeMs = 20_000;

export interface WatchedModelOptions {
  readonly name: string;
  readonly baseUrl: string;
  /** Absent for the built-in model, which runs in this process and answers. */
  readonly probe?: ModelProbe;
  /** The built-in model is asked before it. */
  readonly isCascade?: boolean;
  readonly now: () => number;
}

/** The language model of a home and whether it answers: probed when somebody asks, and not again while that is fresh. */
export class WatchedModel {
  readonly #options: WatchedModelOptions;
  #last: ModelState | undefined;
  #probing: Promise<ModelState> | undefined;

  constructor(options: WatchedModelOptions) {
    this.#options = options;
  }

  /** @param isAskedAnew whether it is asked also when it answered just now */
  async about(isAskedAnew = false): Promise<HomeAbout["model"]> {
    const { name, baseUrl, probe, isCascade = false } = this.#options;
    return { name, address: probe ? addressOf(baseUrl) : null, state: await this.#state(isAskedAnew), isCascade };
  }

  async #state(isAskedAnew: boolean): Promise<ModelState> {
    const { probe, now } = this.#options;
    if (!probe) return { ok: true, code: null, status: null, known: [], probedAt: now() };
    const last = this.#last;
    if (!isAskedAnew && last && now() - last.probedAt < (last.ok ? freshMs.ok : freshMs.failed)) return last;
    this.#probing ??= this.#ask(probe).finally(() => {
      this.#probing = undefined;
    });
    return this.#probing;
  }

  async #ask(probe: ModelProbe): Promise<ModelState> {
    const found = await probe.probe({ timeoutMs: probeMs, listModels: true });
    const probedAt = this.#options.now();
    this.#last = found.ok
      ? { ok: true, code: null, status: null, known: [...(found.models ?? [])], probedAt }
      : { ok: false, code: found.code, status: found.status ?? null, known: [...(found.known ?? [])], probedAt };
    return this.#last;
  }
}

/** An address may carry a password or a key, which nobody is shown. */
export function addressOf(baseUrl: string): string {
  const url = URL.parse(baseUrl);
  return url === null ? baseUrl : `${url.origin}${url.pathname}`.replace(/\/$/, "");
}
