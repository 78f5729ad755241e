import { useSyncExternalStore } from "react";

/** Something that a person had the device do, which failed where nothing that had asked for it was there to say so. */
export interface FailedDeed {
  /** What its person would call it. */
  readonly called: string;
  readonly error: Error;
}

let failed: readonly FailedDeed[] = [];
const listeners = new Set<() => void>();

function change(next: readonly FailedDeed[]): void {
  failed = next;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Says that something has failed, until its person closes that; of what has failed twice, the last time. */
export const sayFailed = (deed: FailedDeed): void =>
  change([...failed.filter(({ called }) => called !== deed.called), deed]);

/** Its person has read it. */
export const closeFailed = (deed: FailedDeed): void => change(failed.filter((each) => each !== deed));

/** What has failed and was not closed, oldest first. */
export const useFailedDeeds = (): readonly FailedDeed[] => useSyncExternalStore(subscribe, () => failed);
