/** A value under a name, for as long as the browser lets a page keep one. */
export interface Kept {
  read(): string | null;
  write(value: string | null): void;
}

/**
 * A value in one of the browser's stores. A browser may refuse its store to pages (a setting, a private window): then the value
 * lasts until the page is loaded again.
 */
export function kept(store: () => Storage, name: string): Kept {
  let inMemory: string | null = null;
  return {
    read: () => whereAllowed(() => store().getItem(name)) ?? inMemory,
    write(value) {
      inMemory = value;
      whereAllowed(() => (value === null ? store().removeItem(name) : store().setItem(name, value)));
    },
  };
}

/** @returns undefined where the browser refuses */
function whereAllowed<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}
