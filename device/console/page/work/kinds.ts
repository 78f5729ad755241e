import { api } from "../app/api.ts";

/** What a person's work is made of, and what each is called in an address. */
export const paths = {
  task: "tasks",
  event: "events",
  note: "notes",
  person: "people",
  memory: "memory",
} as const;
export type Kind = keyof typeof paths;

/** The kind an address speaks of. */
export const kindOf = (path: string): Kind | undefined => kindsInOrder.find((kind) => paths[kind] === path);

const kindsInOrder = ["task", "event", "note", "person", "memory"] as const satisfies readonly Kind[];

/** What the device answers to about each kind. */
export const apis = {
  task: api.work.tasks,
  event: api.work.events,
  note: api.work.notes,
  person: api.work.people,
  memory: api.work.memory,
} as const;

/** The page that lists a kind: events are in the calendar. */
export const listOf = {
  task: "/work/tasks",
  event: "/work/calendar",
  note: "/work/notes",
  person: "/work/people",
  memory: "/work/memory",
} as const;
