import type { Priority } from "../../../events/proposals/categorize.ts";
import { priorities } from "../../../events/proposals/categorize.ts";
import { dueDay, isPastDue } from "../dates/due-day.ts";
import { dayAfter, localTimeAt } from "../dates/zone.ts";
import type { Task } from "../entities.ts";
import { tasksInOrder } from "../tasks/task-order.ts";
import { holdsWords } from "./words.ts";

/** When a task is to be done, as a person sorts what lies before them. */
export const dueGroups = ["overdue", "today", "week", "later", "none"] as const;
export type DueGroup = (typeof dueGroups)[number];

export const taskOrders = ["due", "priority", "made"] as const;
export type TaskOrder = (typeof taskOrders)[number];

/** What a list of tasks is narrowed to. */
export interface TaskFilter {
  readonly status: Task["status"] | "all";
  readonly projectId?: string | undefined;
  readonly priority?: Priority | undefined;
  readonly due?: DueGroup | undefined;
  /** Words that all stand in title or note, without case and accents. */
  readonly words: string;
}

interface Here {
  readonly nowMs: number;
  readonly zone: string;
}

/** A task, and when it is due where the person is. */
export interface ListedTask {
  readonly task: Task;
  readonly group: DueGroup;
}

/** Tasks that are looked for, in order: those due first, by priority, or the newest first. Pure. */
export function listedTasks(
  tasks: readonly Task[],
  { status, projectId, priority, due, words }: TaskFilter,
  order: TaskOrder,
  here: Here,
): ListedTask[] {
  const today = localTimeAt(here.nowMs, here.zone).slice(0, 10);
  const found = tasks.filter(
    (task) =>
      (status === "all" || task.status === status) &&
      (projectId === undefined || task.projectId === projectId) &&
      (priority === undefined || task.priority === priority) &&
      holdsWords(words, task.title, task.note),
  );
  return ordered(found, order, here.zone)
    .map((task) => ({ task, group: groupOf(task, today, here.zone) }))
    .filter(({ group }) => due === undefined || group === due);
}

function ordered(tasks: readonly Task[], order: TaskOrder, zone: string): Task[] {
  const inOrder = tasksInOrder(tasks, zone);
  if (order === "made") return inOrder.toSorted((one, other) => other.createdAt - one.createdAt);
  if (order === "due") return inOrder;
  return inOrder.toSorted((one, other) => priorities.indexOf(one.priority) - priorities.indexOf(other.priority));
}

/** The week is today and the six days after it, as in the brief. */
function groupOf({ due }: Task, today: string, zone: string): DueGroup {
  if (due === null) return "none";
  if (isPastDue(due, today, zone)) return "overdue";
  const day = dueDay(due, zone);
  if (day === today) return "today";
  return day < dayAfter(today, 7) ? "week" : "later";
}
