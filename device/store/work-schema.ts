import { index, integer, primaryKey, sqliteTable, text, unique } from "drizzle-orm/sqlite-core";
import type { ProjectId, ProposalId, TaskId } from "../../events/ids.ts";
import type { Priority } from "../../events/proposals/categorize.ts";
import type { CalendarEvent, EntityKind, Task } from "../work/entities.ts";
import { projects } from "./folder-schema.ts";

/** What every kind of work knows of where it is from; a function, because a column belongs to one table. */
const origin = () => ({
  sourceSuggestionId: text("source_suggestion_id").$type<ProposalId>(),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});

/** What each column means is said in device/work/entities.ts. */
export const tasks = sqliteTable(
  "tasks",
  {
    id: text("id").$type<TaskId>().primaryKey().notNull(),
    title: text("title").notNull(),
    note: text("note").notNull().default(""),
    due: text("due"),
    priority: text("priority").$type<Priority>().notNull().default("none"),
    status: text("status").$type<Task["status"]>().notNull().default("open"),
    projectId: text("project_id")
      .$type<ProjectId>()
      .references(() => projects.id, { onDelete: "set null" }),
    doneAt: integer("done_at"),
    ...origin(),
  },
  (table) => [index("tasks_by_project").on(table.projectId, table.status)],
);

export const events = sqliteTable(
  "events",
  {
    id: text("id").primaryKey().notNull(),
    title: text("title").notNull(),
    start: text("start").notNull(),
    end: text("end").notNull(),
    zone: text("zone"),
    isAllDay: integer("is_all_day", { mode: "boolean" }).notNull().default(false),
    place: text("place").notNull().default(""),
    people: text("people", { mode: "json" }).$type<string[]>().notNull().default([]),
    note: text("note").notNull().default(""),
    status: text("status").$type<CalendarEvent["status"]>().notNull().default("confirmed"),
    uid: text("uid").notNull(),
    recurrenceId: text("recurrence_id").notNull().default(""),
    sequence: integer("sequence").notNull().default(0),
    stampedAt: integer("stamped_at"),
    recurrence: text("recurrence", { mode: "json" }).$type<string[]>().notNull().default([]),
    ...origin(),
  },
  (table) => [unique().on(table.uid, table.recurrenceId), index("events_by_start").on(table.start)],
);

export const notes = sqliteTable("notes", {
  id: text("id").primaryKey().notNull(),
  title: text("title").notNull(),
  markdown: text("markdown").notNull().default(""),
  ...origin(),
});

export const people = sqliteTable("people", {
  id: text("id").primaryKey().notNull(),
  name: text("name").notNull(),
  addresses: text("addresses", { mode: "json" }).$type<string[]>().notNull().default([]),
  note: text("note").notNull().default(""),
  ...origin(),
});

export const memory = sqliteTable("memory", {
  id: text("id").primaryKey().notNull(),
  fact: text("fact").notNull(),
  source: text("source").notNull().default(""),
  ...origin(),
});

/** What was done to an entity: its row before (null: there was none) and after (null: it is gone). */
export const entityChanges = sqliteTable(
  "entity_changes",
  {
    number: integer("number").primaryKey({ autoIncrement: true }).notNull(),
    kind: text("kind").$type<EntityKind>().notNull(),
    entityId: text("entity_id").notNull(),
    before: text("before", { mode: "json" }),
    after: text("after", { mode: "json" }),
    /** The change that this one took back. */
    undoes: integer("undoes"),
    changedAt: integer("changed_at").notNull(),
  },
  (table) => [index("entity_changes_by_entity").on(table.entityId, table.number)],
);
export type EntityChange = typeof entityChanges.$inferSelect;

/** A file of a folder of the person's own as it was when both sides last said the same, if in other words. */
export const workFiles = sqliteTable(
  "work_files",
  {
    /** As the person has chosen it. */
    folder: text("folder").notNull(),
    /** In the folder, with / between its parts. */
    name: text("name").notNull(),
    /** Hash of the file. */
    file: text("file").notNull(),
    /** Hash of what this device would write; null where it was taken from the file just now. */
    device: text("device"),
    /** The note it is; null for the calendar. */
    noteId: text("note_id"),
    /** Both sides have changed: where this device's version was put beside the person's. */
    copy: text("copy"),
  },
  (table) => [primaryKey({ columns: [table.folder, table.name] })],
);
/** What is known of one file. */
export type WorkFile = Omit<typeof workFiles.$inferSelect, "folder" | "name">;
