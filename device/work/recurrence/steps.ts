/** How many looks at a day one event is worth: some thousandths of a second of CPU. */
export const mostSteps = 60_000;

/** What is spent on working out one event; a step is a look at a day. */
export class Steps {
  #spent = 0;

  spend(count: number): void {
    this.#spent += count;
  }

  get spent(): number {
    return this.#spent;
  }

  get areUsedUp(): boolean {
    return this.#spent > mostSteps;
  }
}
