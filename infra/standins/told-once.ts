import { reportFailure } from "./report-failure.ts";

/** Says that something fails and is tried again: once, until it has gone well again. */
export class ToldOnce {
  readonly #what: string;
  #isFailing = false;
  #failure: unknown;

  constructor(what: string) {
    this.#what = what;
  }

  failed(error: unknown): void {
    if (!this.#isFailing) reportFailure(this.#what, error);
    this.#isFailing = true;
    this.#failure = error;
  }

  passed(): void {
    this.#isFailing = false;
    this.#failure = undefined;
  }

  /** What it failed with last, until it has gone well again. */
  get failure(): unknown {
    return this.#failure;
  }
}

/** A full disk, say: after so long it is looked whether there is room again. */
export const againMs = 5_000;
