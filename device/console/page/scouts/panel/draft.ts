import type { Scout } from "../queries.ts";

/** What a form holds of a scout. */
export interface Draft {
  readonly name: string;
  readonly purpose: string;
  /** Empty for every quarter of an hour. */
  readonly schedule: string;
  readonly pauseAfterDays: string;
  readonly autoTrash: boolean;
}

export const draftOf = ({ name, purpose, schedule, pauseAfterDays, autoTrash }: Scout): Draft => ({
  name,
  purpose,
  schedule: schedule ?? "",
  pauseAfterDays: String(pauseAfterDays),
  autoTrash,
});

export const isSame = (a: Draft, b: Draft): boolean =>
  a.name.trim() === b.name.trim() &&
  a.purpose.trim() === b.purpose.trim() &&
  a.schedule.trim() === b.schedule.trim() &&
  a.pauseAfterDays.trim() === b.pauseAfterDays.trim() &&
  a.autoTrash === b.autoTrash;

const scheduleOf = ({ schedule }: Draft) => (schedule.trim() === "" ? null : schedule.trim());
const daysOf = ({ pauseAfterDays }: Draft) => (pauseAfterDays.trim() === "" ? null : Number(pauseAfterDays));

/** What is otherwise than it was, and how it was: another's change meanwhile is not overwritten. */
export function changeFrom(was: Draft, draft: Draft) {
  return {
    ...(draft.name !== was.name && { name: draft.name }),
    ...(draft.purpose !== was.purpose && { purpose: draft.purpose }),
    ...(draft.schedule !== was.schedule && { schedule: scheduleOf(draft) }),
    ...(draft.pauseAfterDays !== was.pauseAfterDays && { pauseAfterDays: daysOf(draft) }),
    ...(draft.autoTrash !== was.autoTrash && { autoTrash: draft.autoTrash }),
    was: {
      name: was.name,
      purpose: was.purpose,
      schedule: scheduleOf(was),
      pauseAfterDays: Number(was.pauseAfterDays),
      autoTrash: was.autoTrash,
    },
  };
}
