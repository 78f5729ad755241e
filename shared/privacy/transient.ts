import { inspect } from "node:util";

/**
 * Content that may exist in memory only. Whatever would write it down — JSON, string conversion, a logger — fails or
 * shows a placeholder; `reveal()` is called where content leaves on purpose: a model request, a frame, a hash.
 */
export class Transient<T> {
  readonly #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  reveal(): T {
    return this.#value;
  }

  map<U>(change: (value: T) => U): Transient<U> {
    return new Transient(change(this.#value));
  }

  /** @throws TypeError always: content is never serialised by accident. */
  toJSON(): never {
    throw new TypeError("Transient content cannot be serialised");
  }

  /** @throws TypeError always: content is never pasted into a text by accident. */
  toString(): never {
    throw new TypeError("Transient content cannot become a string");
  }

  /** @throws TypeError always, so that template literals and `+` fail as well. */
  [Symbol.toPrimitive](): never {
    throw new TypeError("Transient content cannot become a primitive");
  }

  [inspect.custom](): string {
    return "Transient(…)";
  }
}
