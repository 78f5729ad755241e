/**
 * A value of the graph. On AWS it becomes known when a resource exists; here every address and name is settled before
 * the configuration runs, so an output always holds its value.
 */
export class Output<T> {
  readonly #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  apply<U>(map: (value: T) => U | Output<U>): Output<U> {
    const mapped = map(this.#value);
    return mapped instanceof Output ? mapped : new Output(mapped);
  }

  get value(): T {
    return this.#value;
  }

  /** Pulumi refuses this too: an output in a template literal would print as an object. */
  toString(): string {
    throw new Error("An output was used as a string: use $interpolate.");
  }
}

export type Input<T> = T | Output<T>;

/** A value as SST hands it on. Of an output it is the same one. */
export const output = <T>(value: Input<T>): Output<T> => (value instanceof Output ? value : new Output(value));

/** The value of an input. */
export const known = <T>(input: Input<T>): T => (input instanceof Output ? input.value : input);

/** The same structure with every output in it replaced by its value. */
export function resolveDeep(value: unknown): unknown {
  if (value instanceof Output) return resolveDeep(value.value);
  if (Array.isArray(value)) return value.map(resolveDeep);
  if (value !== null && typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype) {
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, entry]) => (entry === undefined ? [] : [[key, resolveDeep(entry)]])),
    );
  }
  return value;
}

/** A text with the values of outputs in it, where a plain template literal refuses them. */
export function interpolate(strings: TemplateStringsArray, ...values: Input<unknown>[]): Output<string> {
  return new Output(strings.reduce((text, piece, index) => text + String(known(values[index - 1])) + piece));
}
