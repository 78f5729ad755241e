/** Made at first use and kept for the life of the environment; a failure is not kept, so the next call tries again. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    if (!made) {
      const value = make();
      made = { value };
      if (value instanceof Promise) value.catch(() => (made = undefined));
    }
    return made.value;
  };
}
