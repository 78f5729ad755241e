import { age } from "../../device/age.ts";
import type { DeviceStore } from "../../device/store/open.ts";
import type { EntityChange } from "../../device/store/work-schema.ts";
import { changedFields } from "../../device/work/change-entities.ts";
import { isUndone } from "../../device/work/undo-change.ts";
import type { Output } from "../output/output.ts";
import { table } from "../output/table.ts";

/** One row a change: its number names it for `undo --change`. */
export function showHistory(output: Output, store: DeviceStore, changes: readonly EntityChange[], nowMs: number): void {
  if (changes.length === 0) {
    output.line("No changes.");
    return;
  }
  const undone = new Set(
    [...new Set(changes.map(({ entityId }) => entityId))].flatMap((id) => {
      const history = store.entityChanges.of(id);
      return history.filter((each) => isUndone(each, history)).map(({ number }) => number);
    }),
  );
  table(output, changes, [
    { title: "CHANGE", cell: ({ number }) => String(number) },
    { title: "AGE", cell: ({ changedAt }) => age(changedAt, nowMs) },
    { title: "WHAT", cell: (change) => `${whatOf(change)}${undone.has(change.number) ? " (undone)" : ""}`, least: 24 },
    { title: "TITLE", cell: ({ before, after }) => titleIn(after ?? before), fills: true },
    { title: "ID", cell: ({ entityId }) => entityId },
  ]);
}

function whatOf({ before, after, undoes }: EntityChange): string {
  if (undoes !== null) return `undo of ${undoes}`;
  if (!isObject(before)) return "added";
  if (!isObject(after)) return "removed";
  return `changed ${fieldsIn(before, after).join(", ")}`;
}

/** What a person calls a field that is named otherwise. */
const fieldWords: Readonly<Record<string, string>> = {
  projectId: "project",
  doneAt: "when it was done",
  markdown: "text",
  isAllDay: "all day",
  recurrence: "when it repeats",
  recurrenceId: "which time of a series",
  sequence: "revision",
  stampedAt: "revision",
  sourceSuggestionId: "proposal",
};

/** In words and once each. When something was done is not told beside that it was. */
function fieldsIn(before: object, after: object): string[] {
  const fields = changedFields(before, after);
  const told = fields.filter((field) => field !== "doneAt" || !fields.includes("status"));
  return [...new Set(told.map((field) => fieldWords[field] ?? field))];
}

const isObject = (state: unknown): state is object => typeof state === "object" && state !== null;

/** What it was called then; states are kept as they were written, whatever the kind. */
function titleIn(state: unknown): string {
  if (!isObject(state)) return "";
  const named = Object.entries(state).find(([field]) => field === "title" || field === "name" || field === "fact");
  return String(named?.[1] ?? "");
}
