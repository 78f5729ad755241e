import type { DeviceStore } from "../../store/open.ts";
import { folded } from "../../store/sqlite/folded-text.ts";
import type { Task } from "../entities.ts";
import { tasksInOrder } from "./task-order.ts";

/** Open tasks whose title holds each word that is typed, without case and accents; those that deserve attention first. @param zone where the person is */
export function openTasksLike(store: DeviceStore, typed: string, limit: number, zone: string): Task[] {
  const words = folded(typed)
    .split(/\s+/)
    .filter((word) => word !== "");
  const open = store.work.task.list().filter(({ status }) => status === "open");
  const fitting = open.filter(({ title }) => words.every((word) => folded(title).includes(word)));
  return tasksInOrder(fitting, zone).slice(0, limit);
}
