import { priorities } from "../../events/categorize.ts";
import type { Task } from "./entities.ts";

/** Tasks as they deserve attention: what is due first, then by priority, then as they were made. */
export function tasksInOrder(tasks: readonly Task[]): Task[] {
  return tasks.toSorted(
    (a, b) =>
      compared(a.due ?? "9", b.due ?? "9") ||
      priorities.indexOf(a.priority) - priorities.indexOf(b.priority) ||
      compared(a.id, b.id),
  );
}

const compared = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
