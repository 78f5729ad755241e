import * as z from "zod";
import { projectId } from "../../../events/ids.ts";
import { priorities } from "../../../events/proposals/categorize.ts";
import { dayAfter } from "../../work/dates/zone.ts";
import { calendarDay } from "../../work/entities.ts";
import { taskForms } from "../../work/interchange/export-work.ts";
import { dueGroups, taskOrders } from "../../work/lists/task-list.ts";

/** Lengths are said in a sentence by whoever keeps them. */
const text = z.string().max(2_000_000);
const words = z.string().max(200).default("");
const from = z.number().int().nonnegative().default(0);

/** What a person says of each kind; dates as they write them. What is absent stays as it is. */
export const taskFields = z.strictObject({
  title: text.optional(),
  note: text.optional(),
  due: text.optional(),
  priority: z.enum(priorities).optional(),
  projectId: projectId.nullable().optional(),
});
export const eventFields = z.strictObject({
  title: text.optional(),
  start: text.optional(),
  end: text.optional(),
  zone: text.optional(),
  place: text.optional(),
  people: z.array(text).max(1_000).optional(),
  note: text.optional(),
  status: z.enum(["confirmed", "tentative", "cancelled"]).optional(),
});
export const noteFields = z.strictObject({ title: text.optional(), markdown: text.optional() });
export const personFields = z.strictObject({
  name: text.optional(),
  addresses: z.array(text).max(1_000).optional(),
  note: text.optional(),
});
export const memoryFields = z.strictObject({ fact: text.optional(), source: text.optional() });

/** Whether there is one is said by its kind. */
export const entityParam = z.object({ id: z.string().max(64) });
/** Which state somebody saw that changes it: the number of the newest change in it. */
export const revisionQuery = z.object({
  revision: z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
});
export const undoRequest = z.strictObject({ change: z.number().int().positive().optional() });
export const doneRequest = z.strictObject({ isDone: z.boolean() });

export const taskPageRequest = z.strictObject({
  status: z.enum(["open", "done", "all"]).default("open"),
  project: projectId.optional(),
  priority: z.enum(priorities).optional(),
  due: z.enum(dueGroups).optional(),
  order: z.enum(taskOrders).default("due"),
  words,
  from,
});
export const listRequest = z.strictObject({ words, from });

/** Six weeks, as a month is shown. */
const mostDays = 42;
export const calendarRequest = z
  .strictObject({ first: calendarDay, last: calendarDay, most: z.number().int().min(0).max(50).default(4) })
  .refine(({ first, last }) => first <= last && last <= dayAfter(first, mostDays - 1), "are too many days, or none");
export const dayRequest = z.strictObject({ day: calendarDay, from });

export const exportRequest = z.discriminatedUnion("what", [
  z.strictObject({ what: z.literal("events"), id: z.string().optional() }),
  z.strictObject({ what: z.literal("tasks"), form: z.enum(taskForms), id: z.string().optional() }),
  z.strictObject({ what: z.literal("notes"), id: z.string().optional() }),
]);
export type ExportRequest = z.output<typeof exportRequest>;

/** A file as its program has saved it, in base64: which text its bytes are is for the device to say. */
const bytes = z.string();
export const importRequest = z.discriminatedUnion("what", [
  z.strictObject({ what: z.literal("events"), bytes }),
  z.strictObject({ what: z.literal("tasks"), form: z.enum(taskForms), bytes }),
]);
export type ImportRequest = z.output<typeof importRequest>;

/** A file to be kept by the browser. */
export interface GivenFile {
  readonly name: string;
  readonly type: string;
  /** Base64. */
  readonly bytes: string;
}
