/**
 * Keeps other processes from changing the project meanwhile. An implementation MUST give the lease to one holder at a
 * time, and MUST free that of a process that died.
 */
export interface WriteLease {
  /** @throws AccessError `busy` */
  run<T>(action: () => Promise<T>): Promise<T>;
}

/** For a project that only this process changes. */
export const ownProcessOnly: WriteLease = { run: (action) => action() };
