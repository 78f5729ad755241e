import { priorities } from "../../../events/proposals/categorize.ts";
import { compared } from "../../compared.ts";
import { dueDay, isDay } from "../dates/due-day.ts";
import type { Task } from "../entities.ts";

/** Tasks as they deserve attention: what is due first where the person is, then by priority, then as they were made. */
export function tasksInOrder(tasks: readonly Task[], zone: string): Task[] {
  return tasks
    .map((task) => ({ task, due: dueInOrder(task, zone) }))
    .toSorted(
      (a, b) =>
        compared(a.due, b.due) ||
        priorities.indexOf(a.task.priority) - priorities.indexOf(b.task.priority) ||
        compared(a.task.id, b.task.id),
    )
    .map(({ task }) => task);
}

/** What is due at a time of a day comes behind what is due on it. */
function dueInOrder({ due }: Task, zone: string): string {
  if (due === null) return "9";
  return isDay(due) ? due : `${dueDay(due, zone)} ${due}`;
}
