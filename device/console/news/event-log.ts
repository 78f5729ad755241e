import type { ConsoleEvent, LoggedEvent } from "../contract.ts";

/** How far back a tab may go on after its stream was cut; behind that it asks for everything anew. */
const keptEvents = 2_000;

/**
 * Events in the order they happened, each with its place. Whoever reads says where they stand and gets exactly what came
 * later, so a stream that is cut and opened again misses nothing and tells nothing twice.
 */
export class EventLog {
  readonly #run: string;
  #events: LoggedEvent[] = [];
  #count = 0;
  readonly #waiting = new Set<() => void>();

  /** @param run another one for each log: places of one mean nothing to the next */
  constructor(run: string) {
    this.#run = run;
  }

  /** The place behind the last event. */
  get at(): string {
    return `${this.#run}.${this.#count}`;
  }

  add(event: ConsoleEvent): void {
    this.#count += 1;
    this.#events.push({ at: this.at, event });
    if (this.#events.length > keptEvents) this.#events = this.#events.slice(-keptEvents);
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const tell of waiting) tell();
  }

  /** What came behind a place; undefined when that is not known. */
  since(place: string): readonly LoggedEvent[] | undefined {
    const [run, number] = place.split(".");
    const behind = this.#count - Number(number);
    if (run !== this.#run || !(behind >= 0 && behind <= this.#events.length)) return undefined;
    return behind === 0 ? [] : this.#events.slice(-behind);
  }

  /** Calls back once when there is another event than now; the returned function prevents it. */
  onNext(tell: () => void): () => void {
    this.#waiting.add(tell);
    return () => void this.#waiting.delete(tell);
  }
}
