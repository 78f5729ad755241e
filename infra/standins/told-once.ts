import { reportFailure } from "./report-failure.ts";

/** Says that something fails and is tried again: once, until it has gone well again. */
export class ToldOnce {
  readonly #what: string;
  #isFailing = false;

  constructor(what: string) {
    this.#what = what;
  }

  failed(error: unknown): void {
    if (!this.#isFailing) reportFailure(this.#what, error);
    this.#isFailing = true;
  }

  passed(): void {
    this.#isFailing = false;
  }
}

/** A full disk, say: after so long it is looked whether there is room again. */
export const againMs = 5_000;
