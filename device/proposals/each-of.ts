import type { ProposalId } from "../../events/ids.ts";
import { type DeviceError, type DeviceErrorCode, isDeviceError } from "../errors.ts";

/** What one of several is refused for, and the others are not. */
const ownReasons: readonly DeviceErrorCode[] = [
  "proposal_unknown",
  "proposal_decided",
  "proposal_undecided",
  "change_superseded",
  "value_invalid",
  "project_unknown",
];

export interface Refused {
  readonly id: ProposalId;
  readonly error: DeviceError;
}

/** What was done with several, and why with some of them not. */
export interface EachOf<T> {
  readonly done: readonly T[];
  readonly refused: readonly Refused[];
}

/**
 * Does the same with several proposals that a person has chosen, each by itself: one that was decided elsewhere meanwhile
 * keeps nobody from deciding the others, and is said.
 *
 * @throws DeviceError what is about all of them: a store that cannot be written
 */
export function eachOf<T>(ids: readonly ProposalId[], work: (id: ProposalId) => T): EachOf<T> {
  const done: T[] = [];
  const refused: Refused[] = [];
  for (const id of new Set(ids)) {
    try {
      done.push(work(id));
    } catch (error) {
      if (!isDeviceError(error, ...ownReasons)) throw error;
      refused.push({ id, error });
    }
  }
  return { done, refused };
}
