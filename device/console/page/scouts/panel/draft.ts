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

/** A scout as its form shows it: all that is typed is text. */
export const draftOf = ({ name, purpose, schedule, pauseAfterDays, autoTrash }: Scout): Draft => ({
  name,
  purpose,
  schedule: schedule ?? "",
  pauseAfterDays: String(pauseAfterDays),
  autoTrash,
});

const fields = ["name", "purpose", "schedule", "pauseAfterDays", "autoTrash"] as const;
export type DraftField = (typeof fields)[number];

const trimmed = (value: string | boolean) => (typeof value === "string" ? value.trim() : value);

/** The fields in which two drafts differ, in the order of the form. */
export const otherFields = (a: Draft, b: Draft): DraftField[] =>
  fields.filter((field) => trimmed(a[field]) !== trimmed(b[field]));

/** Whether two drafts say the same, whatever spaces stand around it. */
export const isSame = (a: Draft, b: Draft): boolean => otherFields(a, b).length === 0;

const scheduleOf = ({ schedule }: Draft) => (schedule.trim() === "" ? null : schedule.trim());

/** What is otherwise than it was, as it is typed, and how it was: another's change meanwhile is not overwritten. */
export function changeFrom(was: Draft, draft: Draft) {
  return {
    ...(draft.name !== was.name && { name: draft.name }),
    ...(draft.purpose !== was.purpose && { purpose: draft.purpose }),
    ...(draft.schedule !== was.schedule && { schedule: scheduleOf(draft) }),
    ...(draft.pauseAfterDays !== was.pauseAfterDays && { pauseAfterDays: draft.pauseAfterDays }),
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
