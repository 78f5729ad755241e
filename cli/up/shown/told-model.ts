import { setTimeout } from "node:timers/promises";
import { isMisconfigured } from "../../../device/doctor/model-trouble.ts";
import type { WatchedModel } from "../../../device/doctor/watched-model.ts";
import { isDeviceError } from "../../../device/errors.ts";
import { isScoutsError } from "../../../events/errors.ts";
import { modelLine } from "../../home/model-line.ts";
import { printable } from "../../output/printable.ts";

/** How often a home that stays up looks whether its model has been given up, or is back. */
const lookEveryMs = 5_000;

/** Says that the language model cannot be used, once for each cause, and that it can be used again. */
export class ModelNews {
  readonly #model: Pick<WatchedModel, "about">;
  readonly #tell: (line: string) => void;
  #told: string | undefined;

  /** @param tell hears lines that are whole, with cause and cure */
  constructor(model: Pick<WatchedModel, "about">, tell: (line: string) => void) {
    this.#model = model;
    this.#tell = tell;
  }

  /** The person has been told that it cannot be used, and not yet that it can. */
  get isBroken(): boolean {
    return this.#told !== undefined;
  }

  /**
   * Asks the model whether it answers, and tells what is new.
   *
   * @returns whether waiting for it is in vain: only the person can mend it
   */
  async look(): Promise<boolean> {
    const about = await this.#model.about();
    const line = modelLine(about);
    if (line === undefined) {
      if (this.#told !== undefined) this.#tell(`scouts: ${mendedLine(about)}`);
    } else if (line !== this.#told) this.#tell(`scouts: ${line} (${about.state.code})`);
    this.#told = line;
    return isMisconfigured(about);
  }
}

function mendedLine({ name, address }: Awaited<ReturnType<WatchedModel["about"]>>): string {
  return printable(
    `The model '${name}' at ${address ?? "this machine"} answers again; what waited is judged within minutes.`,
  );
}

export interface ModelWatch {
  /** Whether the home has given its model up for now; see shared/breaker. */
  readonly isGivenUp: () => Promise<boolean>;
  /** The model is back: what waits need not wait for the next look of the home itself. */
  readonly onMended: () => Promise<void>;
  /** How often to look, in milliseconds. */
  readonly everyMs?: number;
}

/** Tells of a model that breaks, and of one that works again, until the signal aborts. */
export async function watchModel(news: ModelNews, home: ModelWatch, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await lookOnce(news, home, signal);
    } catch (error) {
      // A home that does not answer for a moment is asked again at the next look.
      if (!isScoutsError(error) && !isDeviceError(error)) throw error;
    }
    await setTimeout(home.everyMs ?? lookEveryMs, undefined, { signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }
}

async function lookOnce(news: ModelNews, home: ModelWatch, signal: AbortSignal): Promise<void> {
  const wasBroken = news.isBroken;
  if (!wasBroken && !(await home.isGivenUp())) return;
  await news.look();
  if (wasBroken && !news.isBroken && !signal.aborted) await home.onMended();
}
